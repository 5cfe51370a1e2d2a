import * as Flags from '@oclif/core/flags'
import type { ListedItem } from '../../core/catalogue/index.ts'
import { itemView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findPlaylist, playlistArgument } from '../_support/arguments/find-playlist.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

const COLUMNS: readonly Column<ListedItem>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ name }) => name },
  { title: 'type', text: ({ type }) => type },
  { title: 'year', text: ({ year }) => (year === null ? '' : String(year)), alignRight: true },
]

export default class PlaylistPreview extends BaseCommand {
  static override summary = 'Show the items that a smart playlist selects now.'
  static override description =
    'Shows at most the first 1,000 items and changes nothing. --rules tries other rules than those of the playlist.'
  static override examples = [
    '<%= config.bin %> playlist:preview "New dramas" --limit 20',
    `<%= config.bin %> playlist:preview "New dramas" --rules '{"field":"year","op":"gte","value":2020}' --json`,
  ]
  static override args = { playlist: playlistArgument }
  static override flags = {
    limit: Flags.integer({
      min: 0,
      max: 2_147_483_647,
      helpValue: 'NUMBER',
      summary: 'Maximum number of items; 0: all.',
    }),
    rules: Flags.string({ helpValue: 'JSON', summary: 'Other rules to try.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PlaylistPreview)
    const preview = await this.withServices(async (services) => {
      const { previewSmartPlaylist } = await import('../../core/smart-playlists/index.ts')
      const { id } = await findPlaylist(services, args.playlist)
      const { createCatalogueCache, findListedItems } = await import('../../core/catalogue/index.ts')
      const { itemIds, ...rest } = await previewSmartPlaylist(services, {
        id,
        input: { rules: flags.rules, limit: flags.limit },
      })
      return { ...rest, items: await findListedItems({ catalogueCache: createCatalogueCache(services) }, itemIds) }
    })
    const { playlistId, matchedCount, items } = preview
    if (!this.jsonEnabled() && !this.shared.quiet) this.output.message(pluralize(matchedCount, 'item'))
    return this.finish({
      result: { playlist_id: playlistId, matched_count: matchedCount, items: items.map(itemView) },
      text: renderTable(COLUMNS, items, { plain: flags.plain, output: this.output }),
    })
  }
}
