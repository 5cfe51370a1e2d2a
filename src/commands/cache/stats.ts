import type { CacheStats } from '../../core/streaming/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { segmentCacheView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

const MEBIBYTE = 1024 * 1024

export default class CacheStatsCommand extends BaseCommand {
  static override summary = 'Show the number and size of cached stream segments.'
  static override description =
    'Segments are encoded on request and are kept for a day after their last use. If less than ' +
    'hls.min_disk_space_bytes is free, the least recently used segments are removed first.'
  static override examples = ['<%= config.bin %> cache:stats', '<%= config.bin %> cache:stats --json']
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(CacheStatsCommand)
    const stats = await this.withMediaServices((services) => services.segments.cache.stats())
    return this.finish({ result: segmentCacheView(stats), text: describeStats(stats) })
  }
}

function describeStats({ jobs, segments, bytes, leastRecentlyUsedAt, freeBytes, floorBytes }: CacheStats): string {
  const mebibytes = (count: number): string => `${Math.round(count / MEBIBYTE)} MiB`
  const lines = [
    `${segments} segments of ${jobs} jobs, ${mebibytes(bytes)}`,
    `${mebibytes(freeBytes)} free, ${mebibytes(floorBytes)} are kept free`,
  ]
  if (leastRecentlyUsedAt !== null) lines.push(`least recently used ${toIsoTimestamp(leastRecentlyUsedAt)}`)
  return lines.join('\n')
}
