import type { AuditEntry } from '../../../core/hub/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** One line of the audit log. */
export function auditView({ id, action, actor, target, address, createdAt }: AuditEntry) {
  return { id, action, actor, target, address, created_at: toIsoTimestamp(createdAt) }
}
