import type { AnalysisResult } from '../../core/analysis/index.ts'
import { analysisFlags, followAnalyses } from '../_support/analysis-command.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { describeFailures } from '../_support/output/describe-scan.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class MediaTrickplay extends BaseCommand {
  static override summary = 'Make the pictures that players show on the time line.'
  static override description =
    'One picture for every ten seconds, from the key frames of each film. If a server runs on the same database, it ' +
    'does the work and its progress is shown; otherwise this command does it. Films that have their pictures are ' +
    'skipped.'
  static override examples = [
    '<%= config.bin %> media:trickplay --library Films',
    '<%= config.bin %> media:trickplay --item 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --force',
    '<%= config.bin %> library:update Films --option trickplay=true',
  ]
  static override flags = analysisFlags
  static override exitCodes = [...JOB_EXITS, EXIT.partial]

  async run(): Promise<object> {
    const { flags } = await this.parse(MediaTrickplay)
    const { ended, results } = await this.withMediaServices(
      async (services, { signal }) => {
        const createProgress = (title: string) => this.createProgress(title)
        const ended = await followAnalyses(services, { type: 'trickplay', flags }, { signal, createProgress })
        const { listAnalysisResults } = await import('../../core/analysis/index.ts')
        const results: AnalysisResult[] = []
        for (const { library, itemId, job } of ended) {
          const scope = { libraryId: library.id, itemId, since: job.startedAt ?? job.queuedAt }
          results.push(...(await listAnalysisResults(services, scope)).filter(({ feature }) => feature === 'trickplay'))
        }
        return { ended, results }
      },
      { isSelfEnding: true },
    )
    const failures = ended.flatMap(({ failures: own }) => own)
    if (failures.length > 0 && !this.jsonEnabled()) {
      ended.flatMap(describeFailures).forEach((line) => this.output.message(line))
    }
    const generated = results.filter(({ outcome }) => outcome === 'done')
    return this.finish({
      result: {
        generated: generated.map(({ itemId, name, path }) => ({ item_id: itemId, name, path })),
        skipped: results
          .filter(({ outcome }) => outcome === 'none')
          .map(({ itemId, path, reason }) => ({ item_id: itemId, path, reason })),
        failed: failures.map(({ path, code, reason }) => ({ path, code, reason })),
        job_ids: ended.map(({ job }) => job.id),
      },
      text: `Made pictures of ${pluralize(generated.length, 'file')}`,
      exit: failures.length > 0 ? EXIT.partial : EXIT.ok,
    })
  }
}
