import * as Flags from '@oclif/core/flags'
import type { Library } from '../../core/libraries/index.ts'
import type { ScanFailure, ScanJob } from '../../core/scanning/index.ts'
import type { Services } from '../../core/services.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describeFailures } from '../_support/output/describe-scan.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { requestScan, followJob } from '../_support/progress/follow-scan.ts'
import { timeoutFlag } from '../_support/arguments/library-argument.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

type Filled = { library: Library; job: ScanJob; failures: ScanFailure[] }

export default class SourceBackfill extends BaseCommand {
  static override summary = 'Read the source profile of items that have not been probed.'
  static override description =
    'Reads films, videos, episodes and audio whose streams, length or picture size are unknown, and films that could ' +
    'be copied if their key frames were known. Items with these values are skipped, so the command can be repeated. A ' +
    'rescan does the same for changed folders, among other things.'
  static override examples = [
    '<%= config.bin %> source:backfill',
    '<%= config.bin %> source:backfill --library Films --limit 500 --json',
  ]
  static override flags = {
    library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only this library (id or name).' }),
    limit: Flags.integer({ min: 1, helpValue: 'NUMBER', summary: 'Maximum number of files to read.' }),
    timeout: timeoutFlag,
  }
  static override exitCodes = [...JOB_EXITS, EXIT.partial]

  async run(): Promise<object> {
    const { flags } = await this.parse(SourceBackfill)
    const { filled, skipped } = await this.withMediaServices(
      async (services, { signal }) => {
        const { countUnreadFiles } = await import('../../core/catalogue/index.ts')
        const { countUnindexedFilms } = await import('../../core/streaming/index.ts')
        const { listLibraries } = await import('../../core/libraries/index.ts')
        const wanted =
          flags.library === undefined ? await listLibraries(services) : [await findLibrary(services, flags.library)]
        const filled: Filled[] = []
        let [left, skipped] = [flags.limit ?? Number.POSITIVE_INFINITY, 0]
        for (const library of wanted) {
          const unread =
            (await countUnreadFiles(services.db, library.id)) + (await countUnindexedFilms(services.db, library.id))
          skipped += library.itemCount - unread
          if (unread === 0 || left <= 0) continue
          const limit = Number.isFinite(left) ? left : undefined
          const one = await this.fill(services, library, { limit, signal, timeoutSeconds: flags.timeout })
          left -= one.job.itemsUpdated
          filled.push(one)
        }
        return { filled, skipped }
      },
      { isSelfEnding: true },
    )
    const processed = sumOf(filled, ({ job }) => job.itemsUpdated)
    const failed = sumOf(filled, ({ job }) => job.itemsFailed)
    if (failed > 0 && !this.jsonEnabled()) filled.flatMap(describeFailures).forEach((line) => this.output.message(line))
    return this.finish({
      result: {
        processed,
        skipped,
        failed_count: failed,
        failed: filled.flatMap(({ failures }) => failures.map(({ path, code, reason }) => ({ path, code, reason }))),
        job_ids: filled.map(({ job }) => job.id),
      },
      text: `Read ${pluralize(processed, 'file')}, ${failed} failed; ${pluralize(skipped, 'item')} had been read before`,
      exit: failed > 0 ? EXIT.partial : EXIT.ok,
    })
  }

  private async fill(
    services: Services,
    library: Library,
    around: { limit: number | undefined; signal: AbortSignal; timeoutSeconds: number | undefined },
  ): Promise<Filled> {
    const { listScanFailures } = await import('../../core/scanning/index.ts')
    const { limit, ...follow } = around
    const queued = await requestScan(services, { library, type: 'source_backfill', force: false, limit })
    const progress = await this.createProgress(`Reading "${library.name}"`)
    const job = await followJob(services, queued, { ...follow, progress })
    const failures = job.itemsFailed === 0 ? [] : await listScanFailures(services, { scanJobId: job.id })
    return { library, job, failures }
  }
}

function sumOf(filled: readonly Filled[], count: (one: Filled) => number): number {
  return filled.reduce((sum, one) => sum + count(one), 0)
}
