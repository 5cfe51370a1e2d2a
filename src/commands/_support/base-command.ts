import { Command } from '@oclif/core/command'
import { ExitError } from '@oclif/core/errors'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import {
  loadConfig,
  processEnvironment,
  resolveDataDirectory,
  type Config,
  type OptionPath,
} from '../../core/platform/config/index.ts'
import type { OpenDatabase } from '../../core/platform/database/index.ts'
import type { Logger, RecentLines } from '../../core/platform/logging/index.ts'
import type { CoreServices } from '../../core/core-services.ts'
import type { HubStore } from '../../core/hub/index.ts'
import type { Services } from '../../core/services.ts'
import { commandErrors } from './errors.ts'
import { finishInterruptedRestore } from './finish-restore.ts'
import { convertErrorToFailure, type Failure } from './failure.ts'
import { listenForSignals } from './interruption.ts'
import { createOutput, type Output } from './output/output.ts'
import { createProgress } from './progress/progress.ts'
import type { Progress } from './progress/progress-status.ts'
import { describeExtraArguments } from './output/usage-error.ts'
import { defaultSharedFlags, readSharedFlags, sharedFlags, type SharedFlags } from './arguments/shared-flags.ts'

type Fields = Record<string, unknown>

/** The output of a command. */
export type Outcome<Result extends object> = {
  /** The `--json` document, without `schema` and `warnings`. Keys are snake_case, numbers are in base units. */
  result: Result
  /** The human-readable text for stdout. */
  text?: string
  /** Exit code for a result that is not a full success: 3 partial, 4 a check found problems. */
  exit?: number
  /** Print the text even with `--quiet`, because it cannot be obtained later, for example a generated password. */
  isPrintedWhenQuiet?: boolean
}

type WorkOptions = {
  /** True if the work stops when `signal` aborts. If false, the command does not wait for the work after a signal. */
  isSelfEnding?: boolean
}

type Work<Open, T> = (open: Open, around: { signal: AbortSignal; log: Logger }) => Promise<T>

/**
 * Base of all commands: shared flags, exit codes, one JSON document or text on stdout and everything else on stderr. This class overrides
 * oclif behaviour that violates docs/commands.md; test/commands/_support/base-command.test.ts has a test for each override.
 */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true
  static override baseFlags = sharedFlags
  /**
   * Commands are not strict. Otherwise oclif would treat an extra argument as a part of the command name: `version now` would be an unknown
   * command (127). `parse` refuses extra arguments itself.
   */
  static override strict = false
  /** Exit codes of this command, for its help page. */
  static exitCodes: readonly number[] = []
  /** Whether repeating the command is safe, for its help page. `not_found`: a second run finds nothing, which is an error. */
  static isIdempotent: boolean | 'not_found' = true

  /** Whether notices of this command are written to the log file. Used by commands that grant or revoke access. */
  static isRecorded = false

  protected shared: SharedFlags = defaultSharedFlags(this.argv)
  protected output: Output = createOutput(this.shared.allowColour)
  private readonly warnings: string[] = []

  /** @param command the class of the command */
  protected override async parse<F extends Fields, B extends Fields, A extends Fields>(
    command: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const { flags, baseFlags, args } = command
    // Listed explicitly, because oclif copies own properties only and `strict` is inherited.
    const input = { ...(flags && { flags }), ...(baseFlags && { baseFlags }), ...(args && { args }) }
    const parsed = await super.parse<F, B, A>({ ...input, enableJsonFlag: true, strict: false }, argv)
    setAbsentFlagsOff(parsed.flags, { ...baseFlags, ...flags })
    this.shared = readSharedFlags(parsed)
    this.output = createOutput(this.shared.allowColour)
    const names = Object.keys(args ?? {})
    if (parsed.argv.length > names.length) throw commandErrors.usage({ message: describeExtraArguments(names) })
    await this.finishRestore()
    return parsed
  }

  /** Before it reads the configuration, each command completes a restore that was interrupted while it renamed files. */
  private async finishRestore(): Promise<void> {
    const dataDirectory = resolveDataDirectory(this.shared.dataDirectory)
    if (await finishInterruptedRestore(dataDirectory)) this.warn(`The restore of ${dataDirectory} was finished`)
  }

  /**
   * The configuration with this command's flags applied.
   * @throws AppError `invalid_config`
   */
  protected readConfig(flags: Partial<Record<OptionPath, string>> = {}): Config {
    const { configFile, dataDirectory } = this.shared
    return loadConfig({ configFile, dataDirectory, flags })
  }

  /** A logger on stderr. Commands report their results themselves, so only errors are logged by default; -v or LOG_LEVEL changes that. */
  protected async openLog(config: Config, defaultLevel = 'error', recentLines?: RecentLines): Promise<Logger> {
    const { createLogger } = await import('../../core/platform/logging/index.ts')
    const isChosen = config.origins['logging.level'] !== 'default'
    const level = ['info', 'debug'][Math.min(this.shared.verbosity, 2) - 1]
    const shown = level ?? (isChosen ? config.options['logging.level'] : defaultLevel)
    return createLogger(config, {
      level: shown,
      ...((this.constructor as typeof BaseCommand).isRecorded ? { fileLevel: 'notice' } : {}),
      ...(recentLines === undefined ? {} : { recentLines }),
    })
  }

  /**
   * Opens the core services, runs the work and closes the services, even after a signal. The result is printed afterwards, so that a closed
   * pipe (`| head -1`) leaves nothing open.
   */
  protected async withServices<T>(work: Work<CoreServices, T>, options: WorkOptions = {}): Promise<T> {
    const open = async (config: Config, log: Logger): Promise<CoreServices> => {
      const { openCoreServices } = await import('./open-services.ts')
      return openCoreServices(config, log)
    }
    return this.withOpen(open, work, options)
  }

  /** Like `withServices`, with the services for media files and metadata providers, whose modules take longer to load. */
  protected async withMediaServices<T>(work: Work<Services, T>, options: WorkOptions = {}): Promise<T> {
    const open = async (config: Config, log: Logger): Promise<Services> => {
      const { openServices } = await import('./open-services.ts')
      return openServices(config, log)
    }
    return this.withOpen(open, work, options)
  }

  /** Opens the database of the hub of the data directory. */
  protected async withHubStore<T>(work: Work<HubStore, T>): Promise<T> {
    const open = async (config: Config, log: Logger): Promise<HubStore> => {
      const { openHub } = await import('./open-services.ts')
      return openHub(config, log)
    }
    return this.withOpen(open, work, {})
  }

  /** Opens the database without a check of its schema, for `migrate`. */
  protected async withDatabase<T>(work: Work<OpenDatabase, T>): Promise<T> {
    const open = async (config: Config, log: Logger): Promise<OpenDatabase> => {
      const { openDatabase } = await import('../../core/platform/database/index.ts')
      return openDatabase({ config, log })
    }
    return this.withOpen(open, work, {})
  }

  /** Opens nothing: for commands that replace or create databases. */
  protected async withConfig<T>(work: Work<Config, T>, options: WorkOptions = {}): Promise<T> {
    const open = async (config: Config): Promise<{ config: Config; close(): Promise<void> }> => ({
      config,
      close: async () => {},
    })
    return this.withOpen(open, ({ config }, around) => work(config, around), options)
  }

  private async withOpen<Open extends { close(): Promise<void> }, T>(
    open: (config: Config, log: Logger) => Promise<Open>,
    work: Work<Open, T>,
    { isSelfEnding = false }: WorkOptions,
  ): Promise<T> {
    const config = this.readConfig()
    const interruption = listenForSignals()
    try {
      const log = await this.openLog(config)
      const opened = await interruption.orStop(open(config, log))
      try {
        const running = work(opened, { signal: interruption.signal, log })
        return await (isSelfEnding ? running : interruption.orStop(running))
      } catch (error) {
        // The connection can break during any query.
        const { toDatabaseError } = await import('../../core/platform/database/index.ts')
        throw toDatabaseError(error)
      } finally {
        await opened.close()
      }
    } finally {
      interruption.dispose()
    }
  }

  protected createProgress(title: string): Promise<Progress> {
    const environment = processEnvironment()
    const wanted = Number(environment['PHLIX_PROGRESS_FPS'])
    return createProgress({
      title,
      mode: this.shared.progress,
      output: this.output,
      quiet: this.shared.quiet,
      verbose: this.shared.verbosity > 0,
      allowColour: this.shared.allowColour,
      framesPerSecond: Number.isFinite(wanted) && wanted > 0 ? Math.min(wanted, 60) : 1,
      isDumbTerminal: environment['TERM'] === 'dumb',
    })
  }

  /** Prints the text, or hands the JSON document to oclif. Must be the last call. */
  protected finish<Result extends object>(outcome: Outcome<Result>): { schema: string } & Result {
    const { result, text, exit = 0, isPrintedWhenQuiet = false } = outcome
    if (exit !== 0) process.exitCode = exit
    const isSilent = this.jsonEnabled() || (this.shared.quiet && !isPrintedWhenQuiet)
    if (!isSilent && text !== undefined && text !== '') this.output.result(text)
    return { schema: `${(this.id ?? '').replaceAll(':', '.')}/1`, ...result }
  }

  /** oclif prints no warnings with --json; here they become part of the document. */
  override warn(input: Error | string): Error | string {
    const text = input instanceof Error ? input.message : input
    this.warnings.push(text)
    if (!this.jsonEnabled() && !this.shared.quiet) {
      this.output.message(`${this.output.style('stderr', 'yellow', 'warning:')} ${text}`)
    }
    return input
  }

  protected override toSuccessJson(result: object): object {
    return { ...result, warnings: this.warnings }
  }

  protected override toErrorJson(failure: Failure): object {
    return { error: failure }
  }

  /** oclif colours JSON on terminals; the document must stay plain. */
  protected override logJson(document: unknown): void {
    this.output.result(JSON.stringify(document, null, 2))
  }

  /** Handles every failure: one Failure, printed once, and its exit code. */
  protected override async catch(error: Error): Promise<never> {
    if (error instanceof ExitError) throw error
    const commandLine = `${this.config.bin} ${this.id ?? ''}`.trim()
    const failure = convertErrorToFailure(error, { isParsed: this.parsed, commandLine })
    if (this.jsonEnabled()) this.logJson(this.toErrorJson(failure))
    else this.printFailure(failure, error)
    throw new ExitError(failure.exit)
  }

  private printFailure({ message, code, hint }: Failure, error: Error): void {
    const { output } = this
    const word = output.style('stderr', 'dim', `(${code})`)
    output.message(`${output.style('stderr', 'red', 'error:')} ${message} ${word}`)
    if (hint !== null) output.message(`${output.style('stderr', 'bold', 'hint:')} ${hint}`)
    if (this.shared.verbosity > 1 && error.stack !== undefined) output.message(error.stack)
  }
}

/**
 * oclif leaves an absent boolean flag undefined, although its type is boolean. One that can be given as `--no-…` stays undefined: absent is
 * not off.
 */
function setAbsentFlagsOff(values: Fields, flags: Readonly<Record<string, { type: string; allowNo?: boolean }>>): void {
  for (const [name, { type, allowNo }] of Object.entries(flags)) {
    if (type === 'boolean' && allowNo !== true) values[name] ??= false
  }
}
