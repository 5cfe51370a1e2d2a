import type { HealthFinding } from '../maintenance/index.ts'
import { isoTimestampOrNull } from '../platform/time/index.ts'

/** A problem of a library. */
export function healthFindingView(finding: HealthFinding) {
  return {
    kind: finding.kind,
    library_id: finding.libraryId,
    item_id: finding.itemId,
    name: finding.name,
    path: finding.path,
    reason: finding.reason,
    missing_since: isoTimestampOrNull(finding.missingSince),
    group: finding.groupNumber,
  }
}
