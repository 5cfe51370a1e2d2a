import { Flags } from '@oclif/core'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmLoss } from '../_support/confirm.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/find-library.ts'
import { libraryArgument, timeoutFlag } from '../_support/library-argument.ts'
import { describeMetadataJob, runMetadataJob, wireDryRun, wireMetadataJob } from '../_support/metadata-job.ts'
import { printable } from '../_support/table.ts'

export default class LibraryClearMetadata extends BaseCommand {
  static override summary = 'Take away what metadata providers have said about a library.'
  static override description =
    'Items, files, what NFO files and tags say, and what people have watched, rated or marked stay; items are called what their files ' +
    'call them again. Without a terminal --yes is needed.'
  static override examples = [
    '<%= config.bin %> library:clear-metadata Films --dry-run',
    '<%= config.bin %> library:clear-metadata Films --yes --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only say how many items would be gone over.' }),
    force: Flags.boolean({ summary: 'Also beside a job that is queued or running.' }),
    timeout: timeoutFlag,
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.notFound,
    EXIT.tempfail,
    EXIT.interrupted,
    EXIT.terminated,
    ...DATABASE_EXITS,
  ]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryClearMetadata)
    const outcome = await this.withServices(
      async (services, { signal }) => {
        const { countItemsToClear } = await import('../../core/metadata/index.ts')
        const library = await findLibrary(services, args.library)
        const count = await countItemsToClear(services.db, { libraryId: library.id, after: null })
        const loss = `What providers said about the ${count} items of "${printable(library.name)}" would go.`
        if (flags['dry-run']) return { library, count, loss }
        if (!flags.yes && !(await confirmLoss(loss, { mayAsk: this.shared.mayAsk, signal }))) return undefined
        const progress = await this.createProgress(`Clearing "${library.name}"`)
        const request = { library, type: 'clear_metadata', force: flags.force } as const
        return runMetadataJob(services, request, { signal, progress, timeoutSeconds: flags.timeout })
      },
      { endsItself: true },
    )
    if (outcome === undefined) {
      return this.finish({ result: { cleared: false }, text: 'Nothing was cleared', exit: EXIT.failure })
    }
    if ('job' in outcome) {
      return this.finish({ result: wireMetadataJob(outcome), text: describeMetadataJob('Cleared', outcome) })
    }
    return this.finish({ result: wireDryRun(outcome.library, 'clear_metadata', outcome.count), text: outcome.loss })
  }
}
