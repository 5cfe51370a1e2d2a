import type { TrickplayStats } from '../analysis/index.ts'
import { isoTimestampOrNull } from '../platform/time/index.ts'
import type { DownloadStats } from '../downloads/index.ts'
import type { CacheStats } from '../streaming/index.ts'

/** The content of the segment cache, and the space of its disk. */
export function segmentCacheView(stats: CacheStats) {
  return {
    jobs: stats.jobs,
    segments: stats.segments,
    bytes: stats.bytes,
    least_recently_used_at: isoTimestampOrNull(stats.leastRecentlyUsedAt),
    free_bytes: stats.freeBytes,
    min_disk_space_bytes: stats.floorBytes,
  }
}

/** The converted films on disk. */
export function downloadCacheView({ files, bytes, limitBytes }: DownloadStats) {
  return { files, bytes, limit_bytes: limitBytes }
}

/** The pictures of time lines on disk. */
export function trickplayCacheView({ sets, bytes, limitBytes }: TrickplayStats) {
  return { sets, bytes, limit_bytes: limitBytes }
}
