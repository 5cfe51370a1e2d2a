import type { DuplicateCopy, DuplicateGroup } from '../../../core/catalogue/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { MergedDuplicates } from '../../../core/maintenance/index.ts'

export function duplicateGroupView(libraryId: string, { key, best, others }: DuplicateGroup) {
  return {
    canonical_key: key,
    type: best.type,
    library_id: libraryId,
    primary: memberView(best),
    duplicates: others.map(memberView),
  }
}

/** Clients show the number of seasons or episodes below each item. Mergeable items have no children. */
function memberView(copy: DuplicateCopy) {
  return {
    id: copy.id,
    name: copy.name,
    title: copy.name,
    type: copy.type,
    year: copy.year,
    season_number: copy.seasonNumber,
    episode_number: copy.episodeNumber,
    path: copy.path,
    size_bytes: copy.sizeBytes,
    duration: copy.durationSeconds,
    width: copy.width,
    height: copy.height,
    created_at: toIsoTimestamp(copy.addedAt),
    descendant_count: 0,
  }
}

/** Clients print `deleted` as the number of items that are no longer listed. No row and no file is removed. */
export function mergedView({ mergedCount, movedCount }: MergedDuplicates) {
  return { moved: movedCount, deleted: mergedCount, message: `${mergedCount} merged` }
}
