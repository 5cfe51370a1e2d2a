import * as Flags from '@oclif/core/flags'
import type { SmartPlaylist } from '../../core/smart-playlists/index.ts'
import { smartPlaylistView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { describeOrder } from '../_support/output/describe-playlist.ts'

const COLUMNS: readonly Column<SmartPlaylist>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ name }) => name },
  { title: 'order', text: describeOrder },
  { title: 'library', text: ({ libraryId }) => libraryId },
]

export default class PlaylistList extends BaseCommand {
  static override summary = 'List the smart playlists.'
  static override examples = [
    '<%= config.bin %> playlist:list',
    '<%= config.bin %> playlist:list --library Films --json',
    '<%= config.bin %> playlist:list --plain | cut -f1',
  ]
  static override flags = {
    library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only this library (id or name).' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(PlaylistList)
    const playlists = await this.withServices(async (services) => {
      const { listSmartPlaylists } = await import('../../core/smart-playlists/index.ts')
      const all = await listSmartPlaylists(services)
      if (flags.library === undefined) return all
      const { id } = await findLibrary(services, flags.library)
      return all.filter(({ libraryId }) => libraryId === id)
    })
    return this.finish({
      result: { smart_playlists: playlists.map(smartPlaylistView) },
      text:
        playlists.length === 0 && !flags.plain
          ? 'No smart playlists'
          : renderTable(COLUMNS, playlists, { plain: flags.plain, output: this.output }),
    })
  }
}
