import type { TrickplayStats } from '../../core/analysis/index.ts'
import type { DownloadStats } from '../../core/downloads/index.ts'
import type { CacheStats } from '../../core/streaming/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { downloadCacheView, segmentCacheView, trickplayCacheView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

const MEBIBYTE = 1024 * 1024

export default class CacheStatsCommand extends BaseCommand {
  static override summary =
    'Show the number and size of cached stream segments, converted films and pictures of time lines.'
  static override description =
    'Segments are encoded on request and are kept for a day after their last use. If less than ' +
    'hls.min_disk_space_bytes is free, the least recently used segments are removed first. Converted films and pictures of time ' +
    'lines have limits of their own, downloads.cache_bytes and trickplay.cache_bytes.'
  static override examples = ['<%= config.bin %> cache:stats', '<%= config.bin %> cache:stats --json']
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(CacheStatsCommand)
    const { segments, trickplay, downloads } = await this.withMediaServices(async (services) => {
      const { downloadStats } = await import('../../core/downloads/index.ts')
      return {
        segments: await services.segments.cache.stats(),
        trickplay: await services.trickplay.stats(),
        downloads: await downloadStats(services),
      }
    })
    return this.finish({
      result: {
        ...segmentCacheView(segments),
        trickplay: trickplayCacheView(trickplay),
        downloads: downloadCacheView(downloads),
      },
      text: [describeStats(segments), describeTrickplay(trickplay), describeDownloads(downloads)].join('\n'),
    })
  }
}

const mebibytes = (count: number): string => `${Math.round(count / MEBIBYTE)} MiB`

function describeDownloads({ files, bytes, limitBytes }: DownloadStats): string {
  return `${pluralize(files, 'file')} of converted films, ${mebibytes(bytes)} of at most ${mebibytes(limitBytes)}`
}

function describeTrickplay({ sets, bytes, limitBytes }: TrickplayStats): string {
  return `pictures of ${sets} time lines, ${mebibytes(bytes)} of at most ${mebibytes(limitBytes)}`
}

function describeStats({ jobs, segments, bytes, leastRecentlyUsedAt, freeBytes, floorBytes }: CacheStats): string {
  const lines = [
    `${pluralize(segments, 'segment')} of ${pluralize(jobs, 'job')}, ${mebibytes(bytes)}`,
    `${mebibytes(freeBytes)} free, ${mebibytes(floorBytes)} are kept free`,
  ]
  if (leastRecentlyUsedAt !== null) lines.push(`least recently used ${toIsoTimestamp(leastRecentlyUsedAt)}`)
  return lines.join('\n')
}
