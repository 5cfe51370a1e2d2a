import * as Flags from '@oclif/core/flags'
import type { Library } from '../../core/libraries/index.ts'
import { libraryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { LIBRARY_TYPES } from '../_support/arguments/library-types.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<Library>[] = [
  { title: 'id', text: (library) => library.id },
  { title: 'name', text: (library) => library.name },
  { title: 'type', text: (library) => library.type },
  { title: 'items', text: (library) => String(library.itemCount), alignRight: true },
  { title: 'paths', text: (library) => library.paths.join(', ') },
]

export default class LibraryList extends BaseCommand {
  static override summary = 'List the libraries.'
  static override examples = [
    '<%= config.bin %> library:list',
    '<%= config.bin %> library:list --type movie --json',
    '<%= config.bin %> library:list --plain | cut -f1',
  ]
  static override flags = {
    type: Flags.option({ options: LIBRARY_TYPES, summary: 'Only libraries of this type.' })(),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(LibraryList)
    const all = await this.withServices(async (services) => {
      const { listLibraries } = await import('../../core/libraries/index.ts')
      return listLibraries(services)
    })
    const libraries = flags.type === undefined ? all : all.filter((library) => library.type === flags.type)
    return this.finish({
      result: { libraries: libraries.map((library) => libraryView(library)) },
      text:
        libraries.length === 0 && !flags.plain
          ? 'No library yet: phlix library:create NAME --type TYPE --path FOLDER'
          : renderTable(COLUMNS, libraries, { plain: flags.plain, output: this.output }),
    })
  }
}
