import * as Flags from '@oclif/core/flags'
import type { ItemFile } from '../../core/catalogue/index.ts'
import { itemView, itemFileView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

type Row = { id: string; type: string; title: string; path: string | null }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'type', text: ({ type }) => type },
  { title: 'title', text: ({ title }) => title },
  { title: 'path', text: ({ path }) => path ?? '-' },
]

function furtherRow({ id, role, label, path }: ItemFile, title: string): Row {
  return { id, type: role ?? '', path, title: label === null ? title : `${title} [${label}]` }
}

export default class MediaList extends BaseCommand {
  static override summary = 'List or search the items of the libraries.'
  static override description =
    'Sorted by name, search results by relevance. Without --search, --parent and --type only items without a parent ' +
    'are listed: films, series and books, but no episodes. --unmatched lists items without a match at a provider. ' +
    '--versions also lists the other files of an item, each with the id that plays it: its parts (cd2), and its ' +
    'versions with their label.'
  static override examples = [
    '<%= config.bin %> media:list --search "the third man"',
    '<%= config.bin %> media:list --library Films --unmatched --plain | cut -f1',
    '<%= config.bin %> media:list --parent 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --json',
    '<%= config.bin %> media:list --search "das boot" --versions',
  ]
  static override flags = {
    library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only this library (id or name).' }),
    search: Flags.string({ helpValue: 'WORDS', summary: 'Only items whose name contains these words.' }),
    type: Flags.string({ helpValue: 'TYPE', summary: 'Only this type: movie, series, episode, audio, book …' }),
    parent: Flags.string({ helpValue: 'ID', summary: 'Only the items in this series or season.' }),
    unmatched: Flags.boolean({ summary: 'Only items without a match at a provider.' }),
    versions: Flags.boolean({ summary: 'Also the versions and parts of each item.' }),
    limit: Flags.integer({ min: 1, max: 100, default: 50, helpValue: 'NUMBER', summary: 'Maximum number of rows.' }),
    offset: Flags.integer({ min: 0, default: 0, helpValue: 'NUMBER', summary: 'Number of rows to skip.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(MediaList)
    const { page, rows, files } = await this.withServices(async (services) => {
      const { createCatalogueCache, describeItems, listFilesOfItems, listItems } =
        await import('../../core/catalogue/index.ts')
      const library = flags.library === undefined ? undefined : await findLibrary(services, flags.library)
      const catalogueCache = createCatalogueCache(services)
      const listing = await listItems(
        { catalogueCache },
        {
          libraryId: library?.id,
          parentId: flags.parent,
          search: flags.search,
          types: flags.type === undefined ? undefined : [flags.type],
          topLevel: flags.parent === undefined && flags.type === undefined,
          match: flags.unmatched ? 'unmatched' : undefined,
          limit: flags.limit,
          offset: flags.offset,
        },
      )
      const titles = await describeItems(
        services,
        listing.items.map(({ id }) => id),
      )
      const titleOf = new Map(titles.map(({ id, title }) => [id, title]))
      const known = flags.versions
        ? await listFilesOfItems(
            services,
            listing.items.map(({ id }) => id),
          )
        : undefined
      const listed = listing.items.flatMap(({ id, type, name, path }): Row[] => {
        const title = titleOf.get(id) ?? name
        const further = (known?.get(id) ?? []).filter(({ role }) => role !== null)
        return [{ id, type, path, title }, ...further.map((file) => furtherRow(file, title))]
      })
      return { page: listing, rows: listed, files: known }
    })
    const more = page.total - page.offset - page.items.length
    if (more > 0 && !flags.plain && !this.jsonEnabled() && !this.shared.quiet) {
      this.output.message(`${more} more: --offset ${page.offset + page.items.length}`)
    }
    return this.finish({
      result: {
        items: page.items.map((item) => ({
          ...itemView(item),
          ...(files !== undefined && { files: (files.get(item.id) ?? []).map(itemFileView) }),
        })),
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
