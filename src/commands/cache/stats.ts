import type { CacheStats } from '../../core/streaming/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
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
    const stats = await this.withServices((services) => services.segments.cache.stats())
    return this.finish({ result: wireStats(stats), text: describeStats(stats) })
  }
}

function wireStats(stats: CacheStats): Record<string, unknown> {
  return {
    jobs: stats.jobs,
    segments: stats.segments,
    bytes: stats.bytes,
    least_recently_used_at: isoTimestampOrNull(stats.leastRecentlyUsedAt),
    free_bytes: stats.freeBytes,
    min_disk_space_bytes: stats.floorBytes,
  }
}

function describeStats({ jobs, segments, bytes, leastRecentlyUsedAt, freeBytes, floorBytes }: CacheStats): string {
  const mebibytes = (count: number): string => `${Math.round(count / MEBIBYTE)} MiB`
  const lines = [
    `${segments} segments of ${jobs} jobs, ${mebibytes(bytes)}`,
    `${mebibytes(freeBytes)} free, ${mebibytes(floorBytes)} are always left`,
  ]
  if (leastRecentlyUsedAt !== null) lines.push(`least recently used ${toIsoTimestamp(leastRecentlyUsedAt)}`)
  return lines.join('\n')
}
