import { smartPlaylistView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findPlaylist, playlistArgument } from '../_support/arguments/find-playlist.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { describeOrder, describeRules } from '../_support/output/describe-playlist.ts'

export default class PlaylistShow extends BaseCommand {
  static override summary = 'Show the rules of a smart playlist.'
  static override examples = [
    '<%= config.bin %> playlist:show "New dramas"',
    '<%= config.bin %> playlist:show "New dramas" --json',
  ]
  static override args = { playlist: playlistArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(PlaylistShow)
    const playlist = await this.withServices((services) => findPlaylist(services, args.playlist))
    const lines = [playlist.name, describeOrder(playlist), ...describeRules(playlist.rules)]
    return this.finish({
      result: { smart_playlist: smartPlaylistView(playlist) },
      text: lines.map(replaceControlCharacters).join('\n'),
    })
  }
}
