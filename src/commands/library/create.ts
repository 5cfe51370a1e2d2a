import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { resolve } from 'node:path'
import type { Library } from '../../core/libraries/index.ts'
import { libraryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { LIBRARY_TYPES } from '../_support/arguments/library-types.ts'
import { describeQueuedScan, queuedScanKeys } from '../_support/output/describe-queued-scan.ts'
import { queueingServices } from '../_support/queueing-services.ts'

export default class LibraryCreate extends BaseCommand {
  static override summary = 'Create a library of one or more folders.'
  static override description =
    'Phlix reads the folders and never changes them. The first scan is queued. A server that runs on the same database starts it at ' +
    'once. Without a server the next one starts it, and `library:scan` runs it at once. With --no-scan no scan is queued. A folder that ' +
    'belongs to another library is refused. With --if-absent the command can be repeated: a library with the same folders is returned unchanged.'
  static override examples = [
    '<%= config.bin %> library:create Films --type movie --path /media/films',
    '<%= config.bin %> library:create Films --type movie --path /disk1/films --path /disk2/films --if-absent --json',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'displayed name' }),
  }
  static override flags = {
    type: Flags.option({ options: LIBRARY_TYPES, required: true, summary: 'Type of the media in the folders.' })(),
    path: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      required: true,
      helpValue: 'FOLDER',
      summary: 'A folder. May be given several times.',
    }),
    'if-absent': Flags.boolean({
      summary: 'Return an existing library with the same folders instead of creating another one.',
    }),
    scan: Flags.boolean({ allowNo: true, default: true, summary: 'Queue the first scan.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryCreate)
    const paths = flags.path.map((path) => resolve(path))
    const { library, created, scan, isServerRunning } = await this.withServices(async (services) => {
      const { listLibraries } = await import('../../core/libraries/index.ts')
      const { createLibraryAndScan } = await import('../../core/scanning/index.ts')
      const { isServerRunning, queueing } = await queueingServices(services)
      const existing = flags['if-absent']
        ? (await listLibraries(services)).find((known) => hasPaths(known, paths))
        : undefined
      if (existing !== undefined) return { library: existing, created: false, scan: undefined, isServerRunning }
      const input = { name: args.name, type: flags.type, paths }
      const made = await createLibraryAndScan(queueing, input, { isScanWanted: flags.scan })
      return { ...made, created: true, isServerRunning }
    })
    const next =
      scan === undefined
        ? `; to fill it: phlix library:scan ${library.id}`
        : `; ${describeQueuedScan('its first scan', scan, { isServerRunning })}`
    return this.finish({
      result: { library: libraryView(library), created, ...queuedScanKeys(scan, { isServerRunning }) },
      text: `${created ? 'Created' : 'Found'} "${library.name}" (${library.id})${created ? next : ''}`,
    })
  }
}

/** Whether a library has exactly these folders, in any order. */
function hasPaths(library: Library, paths: readonly string[]): boolean {
  const wanted = new Set(paths)
  return wanted.size === new Set(library.paths).size && library.paths.every((path) => wanted.has(path))
}
