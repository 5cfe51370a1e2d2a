import * as Flags from '@oclif/core/flags'
import { scanJobView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { queueingServices } from '../_support/queueing-services.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

export default class LibraryCancel extends BaseCommand {
  static override summary = 'Cancel the running and queued jobs of a library.'
  static override description =
    'The worker of a job is a server or another command. It writes nothing more and stops within seconds. Stored ' +
    'items are kept; the next scan continues from there.'
  static override examples = [
    '<%= config.bin %> library:cancel Films',
    '<%= config.bin %> library:cancel Films --job 0f9c2b8e-6a0e-4c55-9d0c-6a1a1a8f1f43 --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = { job: Flags.string({ helpValue: 'ID', summary: 'Only this job of the library.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryCancel)
    const { library, cancelled } = await this.withServices(async (services) => {
      const { cancelScan, getScanJob, scanErrors } = await import('../../core/scanning/index.ts')
      const library = await findLibrary(services, args.library)
      if (flags.job !== undefined && (await getScanJob(services, flags.job)).libraryId !== library.id) {
        throw scanErrors.scan_job_not_found({ message: 'The library has no such job' })
      }
      const which = flags.job === undefined ? { libraryId: library.id } : { scanJobId: flags.job }
      const cancelled = await cancelScan((await queueingServices(services)).queueing, which)
      return { library, cancelled }
    })
    const types = cancelled.map(({ type }) => type).join(', ')
    return this.finish({
      result: { library_id: library.id, cancelled: cancelled.map((job) => scanJobView(job)) },
      text:
        cancelled.length === 0
          ? `Nothing to cancel on "${replaceControlCharacters(library.name)}"`
          : `Cancelled on "${replaceControlCharacters(library.name)}": ${types}`,
    })
  }
}
