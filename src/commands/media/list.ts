import { Flags } from '@oclif/core'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/find-library.ts'
import { renderTable, type Column } from '../_support/table.ts'
import { wireItem } from '../_support/wire-item.ts'

type Row = { id: string; type: string; title: string; path: string | null }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'type', text: ({ type }) => type },
  { title: 'title', text: ({ title }) => title },
  { title: 'path', text: ({ path }) => path ?? '-' },
]

export default class MediaList extends BaseCommand {
  static override summary = 'List or search the items of the libraries.'
  static override description =
    'By name, what fits a search best first. Without --search, --parent and --type only what stands at the top: films, series, books, but ' +
    'no episodes. --unmatched shows what no provider has been matched with.'
  static override examples = [
    '<%= config.bin %> media:list --search "the third man"',
    '<%= config.bin %> media:list --library Films --unmatched --plain | cut -f1',
    '<%= config.bin %> media:list --parent 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --json',
  ]
  static override flags = {
    library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only of this library: its id or name.' }),
    search: Flags.string({ helpValue: 'WORDS', summary: 'Only what these words are in the name of.' }),
    type: Flags.string({ helpValue: 'TYPE', summary: 'Only this type: movie, series, episode, audio, book …' }),
    parent: Flags.string({ helpValue: 'ID', summary: 'What lies in a series or season.' }),
    unmatched: Flags.boolean({ summary: 'Only what is not matched with a provider.' }),
    limit: Flags.integer({ min: 1, max: 100, default: 50, helpValue: 'NUMBER', summary: 'At most so many.' }),
    offset: Flags.integer({ min: 0, default: 0, helpValue: 'NUMBER', summary: 'Leave out so many.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a head.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(MediaList)
    const { page, rows } = await this.withServices(async (services) => {
      const { describeItems, listItems } = await import('../../core/catalogue/index.ts')
      const library = flags.library === undefined ? undefined : await findLibrary(services, flags.library)
      const found = await listItems(services, {
        libraryId: library?.id,
        parentId: flags.parent,
        search: flags.search,
        types: flags.type === undefined ? undefined : [flags.type],
        topLevel: flags.parent === undefined && flags.type === undefined,
        match: flags.unmatched ? 'unmatched' : undefined,
        limit: flags.limit,
        offset: flags.offset,
      })
      const titles = await describeItems(
        services,
        found.items.map(({ id }) => id),
      )
      const titleOf = new Map(titles.map(({ id, title }) => [id, title]))
      return {
        page: found,
        rows: found.items.map(({ id, type, name, path }) => ({ id, type, path, title: titleOf.get(id) ?? name })),
      }
    })
    const more = page.total - page.offset - rows.length
    if (more > 0 && !flags.plain && !this.jsonEnabled() && !this.shared.quiet) {
      this.output.message(`${more} more: --offset ${page.offset + rows.length}`)
    }
    return this.finish({
      result: {
        items: page.items.map((item) => wireItem(item)),
        total: page.total,
        limit: page.limit,
        offset: page.offset,
      },
      text:
        rows.length === 0 && !flags.plain
          ? 'No items'
          : renderTable(COLUMNS, rows, { plain: flags.plain, output: this.output }),
    })
  }
}
