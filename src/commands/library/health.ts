import * as Flags from '@oclif/core/flags'
import type { HealthFinding, HealthKind } from '../../core/maintenance/index.ts'
import { healthFindingView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { optionalLibraryArgument } from '../_support/arguments/library-argument.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<HealthFinding>[] = [
  { title: 'problem', text: ({ kind }) => kind },
  { title: 'path', text: ({ path, name }) => path ?? name ?? '' },
  { title: 'note', text: (finding) => noteOf(finding) },
]

export default class LibraryHealth extends BaseCommand {
  static override summary = 'List problems of the libraries; the exit code is 4 if there are any.'
  static override description =
    'bad: files and folders that could not be read, with the reason. duplicates: files with the same content. ' +
    'missing: items whose file was not found. unmatched: films, videos and series without an id of any provider. ' +
    'analysis: films that could not be read for skip markers or for the pictures of their time line. Without one of these flags all are listed. The command uses the results of the last scan and opens no file.'
  static override examples = [
    '<%= config.bin %> library:health',
    '<%= config.bin %> library:health Films --bad --missing --json',
    '<%= config.bin %> library:health --duplicates --plain | cut -f2',
  ]
  static override args = { library: optionalLibraryArgument }
  static override flags = {
    bad: Flags.boolean({ summary: 'Files and folders that could not be read.' }),
    duplicates: Flags.boolean({ summary: 'Files with the same content.' }),
    missing: Flags.boolean({ summary: 'Items whose file no longer exists.' }),
    unmatched: Flags.boolean({ summary: 'Items without an id of a provider.' }),
    analysis: Flags.boolean({ summary: 'Films whose analysis failed.' }),
    limit: Flags.integer({
      min: 1,
      max: 100_000,
      default: 1000,
      helpValue: 'NUMBER',
      summary: 'Maximum number of each kind; the counts include all.',
    }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.check, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryHealth)
    const { counts, findings } = await this.withServices(async (services) => {
      const { listLibraries } = await import('../../core/libraries/index.ts')
      const { checkLibraryHealth, HEALTH_KINDS } = await import('../../core/maintenance/index.ts')
      const all = args.library === undefined
      const libraries = all ? await listLibraries(services) : [await findLibrary(services, args.library ?? '')]
      const selected = HEALTH_KINDS.filter((kind) => flags[kind])
      const kinds: readonly HealthKind[] = selected.length === 0 ? HEALTH_KINDS : selected
      return checkLibraryHealth(services, { libraries, kinds, limit: flags.limit })
    })
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const summary = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
    if (total > 0 && !this.jsonEnabled() && !this.shared.quiet) this.output.message(summary.join(', '))
    return this.finish({
      result: { counts, findings: findings.map(healthFindingView) },
      text:
        total === 0 && !flags.plain
          ? 'Nothing found'
          : renderTable(COLUMNS, findings, { plain: flags.plain, output: this.output }),
      exit: total === 0 ? EXIT.ok : EXIT.check,
    })
  }
}

function noteOf({ reason, missingSince, groupNumber }: HealthFinding): string {
  if (groupNumber !== null) return `group ${groupNumber}`
  return reason ?? (missingSince === null ? '' : `since ${missingSince.toISOString()}`)
}
