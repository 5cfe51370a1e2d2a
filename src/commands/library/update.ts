import * as Flags from '@oclif/core/flags'
import { resolve } from 'node:path'
import type { Library, LibraryChanges } from '../../core/libraries/index.ts'
import { libraryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { describeQueuedScan, queuedScanKeys } from '../_support/output/describe-queued-scan.ts'
import { queueingServices } from '../_support/queueing-services.ts'
import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { requireChange } from '../_support/arguments/require-change.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

const folder = { multiple: true, multipleNonGreedy: true, helpValue: 'FOLDER' } as const

export default class LibraryUpdate extends BaseCommand {
  static override summary = 'Change the name, the folders or the options of a library.'
  static override description =
    'Only the given values are changed. Items below a removed folder are kept at first: the next scan marks them as ' +
    'missing, and a rescan or `library:prune` removes them. A rescan also recognises files that are now in another ' +
    'folder. If the folders changed, a scan is queued. A server that runs starts it at once. Without a server the next one starts it, ' +
    'and `library:scan` runs it at once.'
  static override examples = [
    '<%= config.bin %> library:update Films --name Cinema',
    '<%= config.bin %> library:update Films --add-path /disk2/films --remove-path /disk1/films',
    '<%= config.bin %> library:update Films --auto-collections off --option time_zone=Europe/Berlin --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    name: Flags.string({ summary: 'New name.' }),
    path: Flags.string({ ...folder, summary: 'Replace all folders.' }),
    'add-path': Flags.string({ ...folder, summary: 'Add a folder.' }),
    'remove-path': Flags.string({ ...folder, summary: 'Remove a folder.' }),
    'display-order': Flags.integer({ helpValue: 'NUMBER', summary: 'Position in lists; smaller numbers are first.' }),
    'auto-collections': Flags.option({
      options: ['on', 'off'] as const,
      summary: 'Create collections of films that providers list as one series of films.',
    })(),
    option: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY=VALUE',
      summary: 'An option; the value is read as JSON if it is valid JSON, else as text.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(LibraryUpdate)
    requireChange({ raw }, LibraryUpdate.flags, { hint: 'phlix library:list --json shows the present values' })
    const { library, scan, isServerRunning } = await this.withServices(async (services) => {
      const known = await findLibrary(services, args.library)
      const { updateLibraryAndScan } = await import('../../core/scanning/index.ts')
      const { isServerRunning, queueing } = await queueingServices(services)
      const changes = { libraryId: known.id, ...changesOf(known, flags) }
      return { ...(await updateLibraryAndScan(queueing, changes)), isServerRunning }
    })
    const done = `Updated "${replaceControlCharacters(library.name)}" (${library.id})`
    return this.finish({
      result: {
        library: libraryView(library),
        paths_changed: scan !== undefined,
        ...queuedScanKeys(scan, { isServerRunning }),
      },
      text: scan === undefined ? done : `${done}; ${describeQueuedScan('a scan', scan, { isServerRunning })}`,
    })
  }
}

type UpdateFlags = {
  name?: string | undefined
  path?: string[] | undefined
  'add-path'?: string[] | undefined
  'remove-path'?: string[] | undefined
  'display-order'?: number | undefined
  'auto-collections'?: 'on' | 'off' | undefined
  option?: string[] | undefined
}

function changesOf(known: Library, flags: UpdateFlags): LibraryChanges {
  const changes: LibraryChanges = {}
  const paths = pathsOf(known, flags)
  if (flags.name !== undefined) changes.name = flags.name
  if (paths !== undefined) changes.paths = paths
  if (flags['display-order'] !== undefined) changes.displayOrder = flags['display-order']
  if (flags['auto-collections'] !== undefined) changes.autoCollections = flags['auto-collections'] === 'on'
  if (flags.option !== undefined) changes.options = Object.fromEntries(flags.option.map(readOption))
  return changes
}

function pathsOf(known: Library, flags: UpdateFlags): string[] | undefined {
  const [added, removed] = [flags['add-path'] ?? [], flags['remove-path'] ?? []].map((paths) => paths.map(absolute))
  if (flags.path === undefined && added?.length === 0 && removed?.length === 0) return undefined
  const paths = flags.path?.map(absolute) ?? known.paths
  const unknown = removed?.find((path) => !paths.includes(path))
  if (unknown !== undefined)
    throw commandErrors.usage({ message: `The library has no folder ${replaceControlCharacters(unknown)}` })
  return [...paths.filter((path) => removed?.includes(path) !== true), ...(added ?? [])]
}

function absolute(path: string): string {
  return resolve(path)
}

function readOption(text: string): [string, unknown] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) throw commandErrors.usage({ message: 'An option is written KEY=VALUE' })
  try {
    return [key, JSON.parse(value)]
  } catch {
    return [key, value]
  }
}
