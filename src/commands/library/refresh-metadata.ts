import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { MATCHING_EXITS, MatchingCommand, matchingFlags } from '../_support/matching-command.ts'

export default class LibraryRefreshMetadata extends MatchingCommand {
  static override summary = 'Request the metadata of all items from the providers again.'
  static override description =
    'Films are looked up by the id of their match, series by title and year; a wrong match is not corrected. With ' +
    'metadata.overwrite_existing off, items with metadata are skipped.'
  static override examples = ['<%= config.bin %> library:refresh-metadata Films']
  static override args = { library: libraryArgument }
  static override flags = matchingFlags
  static override exitCodes = MATCHING_EXITS

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryRefreshMetadata)
    const { force, timeout: timeoutSeconds } = flags
    const given = { library: args.library, isDryRun: flags['dry-run'], force, timeoutSeconds }
    return this.matchLibrary('metadata_refresh', given)
  }
}
