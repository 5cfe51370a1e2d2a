import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { libraryArgument, timeoutFlag } from '../_support/arguments/library-argument.ts'
import {
  describeMetadataJob,
  runMetadataJob,
  metadataJobDocument,
  skippedJobDocument,
} from '../_support/progress/metadata-job.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class LibraryClearMetadata extends BaseCommand {
  static override summary = 'Remove the metadata of providers from a library.'
  static override description =
    'Items, files, metadata from NFO files and tags, and the ratings, marks and positions of users are not ' +
    'changed. Items get the names of their files again. Without a terminal --yes is required.'
  static override examples = [
    '<%= config.bin %> library:clear-metadata Films --dry-run',
    '<%= config.bin %> library:clear-metadata Films --yes --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only show the number of affected items.' }),
    force: Flags.boolean({ summary: 'Start even if another job of the library is queued or running.' }),
    timeout: timeoutFlag,
  }
  static override exitCodes = JOB_EXITS

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryClearMetadata)
    const outcome = await this.withMediaServices(
      async (services, { signal }) => {
        const { countItemsToClear } = await import('../../core/metadata/index.ts')
        const library = await findLibrary(services, args.library)
        const count = await countItemsToClear(services.db, { libraryId: library.id, after: null })
        const loss = `What providers said about ${pluralize(count, 'item')} of "${replaceControlCharacters(library.name)}" would go.`
        const isWanted =
          !flags['dry-run'] && (flags.yes || (await confirmDeletion(loss, { mayAsk: this.shared.mayAsk, signal })))
        if (!isWanted) return { library, count, loss }
        const progress = await this.createProgress(`Clearing "${library.name}"`)
        const request = { library, type: 'clear_metadata', force: flags.force } as const
        return runMetadataJob(services, request, { signal, progress, timeoutSeconds: flags.timeout })
      },
      { isSelfEnding: true },
    )
    if ('job' in outcome) {
      return this.finish({ result: metadataJobDocument(outcome), text: describeMetadataJob('Cleared', outcome) })
    }
    const { library, count, loss } = outcome
    const isDryRun = flags['dry-run']
    return this.finish({
      result: skippedJobDocument(library, { type: 'clear_metadata', count, isDryRun }),
      text: isDryRun ? loss : 'Nothing was cleared',
      exit: isDryRun ? EXIT.ok : EXIT.failure,
    })
  }
}
