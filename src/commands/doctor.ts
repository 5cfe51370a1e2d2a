import { resolve } from 'node:path'
import * as Flags from '@oclif/core/flags'
import type { Config } from '../core/platform/config/index.ts'
import type { Finding } from '../core/doctor/index.ts'
import { AppError } from '../core/platform/errors/index.ts'
import { BaseCommand } from './_support/base-command.ts'
import { configFinding } from './_support/config-finding.ts'
import { commandErrors } from './_support/errors.ts'
import { EXIT } from './_support/exit-codes.ts'
import { describeFindings } from './_support/output/describe-findings.ts'

type Report = { findings: Finding[]; mended: string[]; bundle: { path: string; bytes: number } | null }

export default class Doctor extends BaseCommand {
  static override summary = 'Check the installation, and show the command that fixes each problem.'
  static override description =
    'Works without a database and while a server runs, and changes nothing without --fix. --fix does only what is ' +
    'safe: it restores links of the database programs, creates missing indexes and extensions, corrects the ' +
    'rights of files with secrets, queues jobs of dead workers again, and removes the lock file of a killed ' +
    'server. The bundle holds versions, options without secrets, the findings and the newest log lines. ' +
    'docs/doctor.md describes each check.'
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --fix',
    '<%= config.bin %> doctor --only roots --only unreadable --json',
    '<%= config.bin %> doctor --bundle report.json.gz',
  ]
  static override flags = {
    fix: Flags.boolean({ summary: 'Fix the problems that can be fixed safely.' }),
    only: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'CHECK',
      summary: 'Run only this check; repeatable.',
    }),
    'time-limit': Flags.integer({
      min: 1,
      max: 600,
      default: 5,
      helpValue: 'SECONDS',
      summary: 'Time limit of one check.',
    }),
    bundle: Flags.string({ helpValue: 'FILE', summary: 'Write a report for a bug report to a new file (JSON, gzip).' }),
    'with-paths': Flags.boolean({
      dependsOn: ['bundle'],
      summary: 'Keep paths of media, names and addresses in the bundle.',
    }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.check, EXIT.io]

  async run(): Promise<object> {
    const { flags } = await this.parse(Doctor)
    const { isProblem } = await import('../core/doctor/index.ts')
    const config = this.tryToReadConfig()
    const report: Report =
      'finding' in config
        ? { findings: [config.finding], mended: [], bundle: null }
        : await this.examine(config, {
            only: flags.only ?? [],
            limitSeconds: flags['time-limit'],
            isMending: flags.fix,
            bundle: flags.bundle,
            withPaths: flags['with-paths'],
          })
    const { findings, mended, bundle } = report
    const hasProblems = findings.some(isProblem)
    return this.finish({
      result: { checks: findings, mended, bundle },
      text: describeFindings(report, { plain: flags.plain, output: this.output }),
      exit: hasProblems ? EXIT.check : EXIT.ok,
      isPrintedWhenQuiet: hasProblems,
    })
  }

  /** The configuration, or the finding that it is not valid; then nothing else can be checked. */
  private tryToReadConfig(): Config | { finding: Finding } {
    try {
      return this.readConfig()
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_config') return { finding: configFinding(error) }
      throw error
    }
  }

  private async examine(
    config: Config,
    options: {
      only: readonly string[]
      limitSeconds: number
      isMending: boolean
      bundle: string | undefined
      withPaths: boolean
    },
  ): Promise<Report> {
    const { CHECKS, CHECK_IDS, runChecks, shellQuote, writeSupportBundle } = await import('../core/doctor/index.ts')
    const unknown = options.only.find((id) => !CHECK_IDS.includes(id))
    if (unknown !== undefined)
      throw commandErrors.usage({ message: 'No check has this name', hint: CHECK_IDS.join(', ') })
    const checks = options.only.length === 0 ? CHECKS : CHECKS.filter(({ id }) => options.only.includes(id))
    const { openDoctor } = await import('../core/open-doctor.ts')
    const log = await this.openLog(config)
    const doctor = await openDoctor({ config, log, phlix: (words) => this.commandLine(words, shellQuote) })
    try {
      const { context } = doctor
      const { findings, mended } = await runChecks(context, { ...options, checks })
      if (options.bundle === undefined) return { findings, mended, bundle: null }
      const path = resolve(options.bundle)
      const { database } = context
      const { listAllLibraryFolders } = await import('../core/libraries/index.ts')
      const folders = 'db' in database && database.hasCurrentSchema ? await listAllLibraryFolders(database) : undefined
      const bytes = await writeSupportBundle(context, path, { findings, folders, withPaths: options.withPaths })
      return { findings, mended, bundle: { path, bytes } }
    } finally {
      await doctor.close()
    }
  }

  /** A command with the flags that select the same data directory and configuration file. */
  private commandLine(words: string, quote: (text: string) => string): string {
    const { dataDirectory, configFile } = this.shared
    return [
      `${this.config.bin} ${words}`,
      ...(dataDirectory === undefined ? [] : ['--data-dir', quote(resolve(dataDirectory))]),
      ...(configFile === undefined ? [] : ['--config', quote(resolve(configFile))]),
    ].join(' ')
  }
}
