import * as Flags from '@oclif/core/flags'
import type { Library } from '../../core/libraries/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import type { ScanJob } from '../../core/scanning/index.ts'
import type { Services } from '../../core/services.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describeFailures, describeScan, scanDocument, type EndedScan } from '../_support/output/describe-scan.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { requestScan, followJob } from '../_support/progress/follow-scan.ts'
import { describeMissingKey } from '../_support/missing-key.ts'
import { libraryArgument, timeoutFlag } from '../_support/arguments/library-argument.ts'

export default class LibraryScan extends BaseCommand {
  static override summary = 'Scan a library for new, changed and removed files.'
  static override description =
    'If a server runs on the same database, the scan is queued for it and its progress is shown; otherwise the ' +
    'command runs the scan. A scan adds and updates items. A rescan also removes items whose file no longer ' +
    'exists and recognises moved files. Ctrl-C cancels a scan that this command runs; a scan in a server ' +
    'continues.'
  static override examples = [
    '<%= config.bin %> library:scan Films',
    '<%= config.bin %> library:scan 0f9c2b8e-6a0e-4c55-9d0c-6a1a1a8f1f43 --rescan --json',
    '17 3 * * *  <%= config.bin %> library:scan Films -q || [ $? -eq 75 ]',
  ]
  static override args = {
    library: libraryArgument,
  }
  static override flags = {
    rescan: Flags.boolean({ summary: 'Also remove items of missing files and recognise moved files.' }),
    force: Flags.boolean({
      summary: 'Scan even if a scan is queued or running, and rescan even if a folder may be unmounted.',
    }),
    'read-every-file': Flags.boolean({ summary: 'Read the tags of unchanged files too; for music libraries only.' }),
    wait: Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'Wait until the scan has ended; otherwise only queue it.',
    }),
    match: Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'If this command runs the scan: look up the added items at metadata providers.',
    }),
    timeout: timeoutFlag,
  }
  static override exitCodes = [...JOB_EXITS, EXIT.partial, EXIT.io]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryScan)
    const ended = await this.withMediaServices(
      async (services, { signal }): Promise<EndedScan> => {
        const library = await findLibrary(services, args.library)
        const queued = await requestScan(services, {
          library,
          type: flags.rescan ? 'rescan' : 'scan',
          force: flags.force,
          readEveryFile: flags['read-every-file'],
        })
        if (!flags.wait) {
          if (queued.isRunHere) this.warn('No server runs on this database; the scan waits until one does')
          return { library, job: queued.job, failures: [] }
        }
        const progress = await this.createProgress(`Scanning "${library.name}"`)
        const job = await followJob(services, queued, { signal, progress, timeoutSeconds: flags.timeout })
        if (queued.isRunHere && flags.match) await this.matchAdded(services, job, { signal, library })
        if (job.itemsAdded > 0 && flags.match) await this.tellMissingKey(services, library)
        const { listScanFailures } = await import('../../core/scanning/index.ts')
        const failures = job.itemsFailed === 0 ? [] : await listScanFailures(services, { scanJobId: job.id })
        return { library, job, failures }
      },
      { isSelfEnding: true },
    )
    const isPartial = ended.job.itemsFailed > 0
    if (isPartial && !this.jsonEnabled()) describeFailures(ended).forEach((line) => this.output.message(line))
    return this.finish({
      result: scanDocument(ended),
      text: describeScan(ended),
      exit: isPartial ? EXIT.partial : EXIT.ok,
    })
  }

  private async tellMissingKey(services: Services, library: Library): Promise<void> {
    const sentence = await describeMissingKey(services, library)
    if (sentence !== undefined && !this.jsonEnabled() && !this.shared.quiet) this.output.message(sentence)
  }

  /** Matches the new items, unless a server runs, which does it by itself. An error here does not fail the completed scan. */
  private async matchAdded(
    services: Services,
    ended: ScanJob,
    { signal, library }: { signal: AbortSignal; library: Library },
  ): Promise<void> {
    const { queueMatchAfterScan } = await import('../../core/scanning/index.ts')
    const { db, clock, log, metadata } = services
    const job = await queueMatchAfterScan({ db, clock, log, metadata }, ended)
    if (job === undefined) return
    const progress = await this.createProgress(`Asking about "${library.name}"`)
    try {
      const around = { signal, progress, timeoutSeconds: undefined }
      const { error } = await followJob(services, { job, isRunHere: true }, around)
      if (error !== null) this.warn(error)
    } catch (error) {
      signal.throwIfAborted()
      this.warn(`What was added could not be matched: ${describeError(error)}`)
    }
  }
}
