import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { MATCHING_EXITS, MatchingCommand, matchingFlags } from '../_support/matching-command.ts'

export default class LibraryMatch extends MatchingCommand {
  static override summary = 'Look up unmatched items at metadata providers.'
  static override description =
    'Looks up films, videos with a year in their name, and series with their seasons and episodes. Items with a match ' +
    'are skipped. Uncertain items are not changed and are listed. Requires metadata.tmdb.api_key.'
  static override examples = [
    '<%= config.bin %> library:match Films',
    '<%= config.bin %> library:match Films --dry-run --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = matchingFlags
  static override exitCodes = MATCHING_EXITS

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryMatch)
    const { force, timeout: timeoutSeconds } = flags
    return this.matchLibrary('metadata', { library: args.library, isDryRun: flags['dry-run'], force, timeoutSeconds })
  }
}
