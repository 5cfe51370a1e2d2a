import { Args, Flags } from '@oclif/core'
import { resolve } from 'node:path'
import type { Library } from '../../core/libraries/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { LIBRARY_TYPES } from '../_support/arguments/library-types.ts'
import { queueIfServerRuns } from '../_support/queue-if-server-runs.ts'
import { wireLibrary } from '../_support/wire-library.ts'

export default class LibraryCreate extends BaseCommand {
  static override summary = 'Create a library of one or more folders.'
  static override description =
    'Phlix reads the folders and never changes them. If a server runs on the same database, the first scan is queued ' +
    'for it; otherwise `library:scan` fills the library. A folder that belongs to another library is refused. With ' +
    '--if-absent the command can be repeated: a library with the same folders is returned unchanged.'
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
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryCreate)
    const paths = flags.path.map((path) => resolve(path))
    const { library, created, scanJobId } = await this.withServices(async (services) => {
      const { createLibrary, listLibraries } = await import('../../core/libraries/index.ts')
      const existing = flags['if-absent']
        ? (await listLibraries(services)).find((known) => hasPaths(known, paths))
        : undefined
      if (existing !== undefined) return { library: existing, created: false, scanJobId: null }
      const made = await createLibrary(services, { name: args.name, type: flags.type, paths })
      return { library: made, created: true, scanJobId: await queueIfServerRuns(services, made) }
    })
    const next = scanJobId === null ? `; to fill it: phlix library:scan ${library.id}` : '; its first scan is queued'
    return this.finish({
      result: { library: wireLibrary(library), created, scan_job_id: scanJobId },
      text: `${created ? 'Created' : 'Found'} "${library.name}" (${library.id})${created ? next : ''}`,
    })
  }
}

/** Whether a library has exactly these folders, in any order. */
function hasPaths(library: Library, paths: readonly string[]): boolean {
  const wanted = new Set(paths)
  return wanted.size === new Set(library.paths).size && library.paths.every((path) => wanted.has(path))
}
