import { markerView } from '../../core/views/index.ts'
import type { Marker, MarkedItem } from '../../core/analysis/index.ts'
import { analysisFlags, followAnalyses } from '../_support/analysis-command.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { describeFailures } from '../_support/output/describe-scan.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

export default class MediaMarkers extends BaseCommand {
  static override summary = 'Find intros, recaps, previews and credits that players can skip.'
  static override description =
    'Chapter names are used first. The episodes of a season are compared by their sound; films are searched for ' +
    'credits by their pictures. Markers that an administrator wrote are never changed. If a server runs on the same ' +
    'database, it does the work and its progress is shown; otherwise this command does it. Files that were analysed ' +
    'before and have not changed are skipped.'
  static override examples = [
    '<%= config.bin %> media:markers --library Shows',
    '<%= config.bin %> media:markers --item 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --json',
    '<%= config.bin %> library:update Shows --option markers=true',
  ]
  static override flags = analysisFlags
  static override exitCodes = [...JOB_EXITS, EXIT.partial]

  async run(): Promise<object> {
    const { flags } = await this.parse(MediaMarkers)
    const { ended, detected } = await this.withMediaServices(
      async (services, { signal }) => {
        const createProgress = (title: string) => this.createProgress(title)
        const ended = await followAnalyses(services, { type: 'markers', flags }, { signal, createProgress })
        const { listMarkedItems } = await import('../../core/analysis/index.ts')
        const detected: MarkedItem[] = []
        for (const { library, itemId, job } of ended) {
          // The markers of one item are shown even when they are not new.
          const since = itemId === null ? job.startedAt : null
          detected.push(...(await listMarkedItems(services, { libraryId: library.id, itemId, since })))
        }
        return { ended, detected }
      },
      { isSelfEnding: true },
    )
    const failures = ended.flatMap(({ failures: own }) => own)
    if (failures.length > 0 && !this.jsonEnabled()) {
      ended.flatMap(describeFailures).forEach((line) => this.output.message(line))
    }
    return this.finish({
      result: {
        detected: detected.map(({ itemId, name, path, markers }) => ({
          item_id: itemId,
          name,
          path,
          markers: markers.map(markerView),
        })),
        failed: failures.map(({ path, code, reason }) => ({ path, code, reason })),
        job_ids: ended.map(({ job }) => job.id),
      },
      text: detected.length === 0 ? 'No new markers' : detected.map(describe).join('\n'),
      exit: failures.length > 0 ? EXIT.partial : EXIT.ok,
    })
  }
}

function describe({ name, path, markers }: MarkedItem): string {
  return `${replaceControlCharacters(path ?? name)}: ${markers.map(rangeOf).join(', ')}`
}

function rangeOf({ type, startMilliseconds, endMilliseconds, source }: Marker): string {
  return `${type} ${timeOf(startMilliseconds)}-${timeOf(endMilliseconds)} (${source})`
}

/** `12:03.4`. */
function timeOf(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  const minutes = Math.floor(tenths / 600)
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`
}
