import * as Flags from '@oclif/core/flags'
import { BaseCommand } from './base-command.ts'
import { describeFailures } from './output/describe-scan.ts'
import { EXIT, JOB_EXITS } from './exit-codes.ts'
import { findLibrary } from './arguments/find-library.ts'
import { timeoutFlag } from './arguments/library-argument.ts'
import { describeMissingKey } from './missing-key.ts'
import {
  describeMetadataJob,
  runMetadataJob,
  metadataJobDocument,
  skippedJobDocument,
  type EndedMetadataJob,
} from './progress/metadata-job.ts'
import { replaceControlCharacters } from './output/table.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

/** Flags of the commands that query providers. */
export const matchingFlags = {
  'dry-run': Flags.boolean({ char: 'n', summary: 'Only show the number of items to look up.' }),
  force: Flags.boolean({ summary: 'Start even if another job of the library is queued or running.' }),
  timeout: timeoutFlag,
}

export const MATCHING_EXITS = [...JOB_EXITS, EXIT.partial, EXIT.io]

type Given = { library: string; isDryRun: boolean; force: boolean; timeoutSeconds: number | undefined }

/** Base of `library:match` and `library:refresh-metadata`. */
export abstract class MatchingCommand extends BaseCommand {
  protected async matchLibrary(type: 'metadata' | 'metadata_refresh', given: Given): Promise<object> {
    const outcome = await this.withMediaServices(
      async (services, { signal }) => {
        const library = await findLibrary(services, given.library)
        if (given.isDryRun) {
          const { countMatchableEntities } = await import('../../core/scanning/index.ts')
          return {
            library,
            count: await countMatchableEntities(services, { library, isForced: type === 'metadata_refresh' }),
          }
        }
        const progress = await this.createProgress(`Asking about "${library.name}"`)
        const { force, timeoutSeconds } = given
        const ended = await runMetadataJob(services, { library, type, force }, { signal, progress, timeoutSeconds })
        return { ...ended, missingKey: await describeMissingKey(services, library) }
      },
      { isSelfEnding: true },
    )
    if ('job' in outcome) return this.tellEnd(outcome)
    const { library, count } = outcome
    return this.finish({
      result: skippedJobDocument(library, { type, count, isDryRun: true }),
      text: `${pluralize(count, 'item')} of "${replaceControlCharacters(library.name)}" would be asked about`,
    })
  }

  private tellEnd({ missingKey, ...ended }: EndedMetadataJob & { missingKey: string | undefined }): object {
    const { job } = ended
    if (job.error !== null) this.warn(missingKey ?? job.error)
    if (job.itemsFailed > 0 && !this.jsonEnabled()) {
      describeFailures(ended).forEach((line) => this.output.message(line))
    }
    return this.finish({
      result: metadataJobDocument(ended),
      text: describeMetadataJob('Matched', ended),
      exit: job.itemsFailed > 0 || job.error !== null ? EXIT.partial : EXIT.ok,
    })
  }
}
