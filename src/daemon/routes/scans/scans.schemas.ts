import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

/** Used for music libraries only. */
export const RescanBody = Type.Object({ read_every_file: Type.Optional(Type.Boolean()) })

/** `force` overrides the deletion guards that an administrator may override (docs/scanning.md). */
export const PruneBody = Type.Object({ force: Type.Optional(Type.Boolean()) })

/** Irreversible actions require a confirmation, in the query or in the body. */
export const Confirmation = Type.Object({ confirm: Type.Optional(Type.Boolean()) })

export const QueuedScan = Type.Object({ job_id: Type.String(), status: Type.String(), message: Type.String() })

const Time = Nullable(Type.String())

export const ScanJobRow = Type.Object({
  id: Type.String(),
  library_id: Type.String(),
  type: Type.String(),
  status: Type.String(),
  items_found: Type.Integer(),
  items_added: Type.Integer(),
  items_updated: Type.Integer(),
  items_removed: Type.Integer(),
  items_failed: Type.Integer(),
  added_count: Type.Integer(),
  removed_count: Type.Integer(),
  current_path: Nullable(Type.String()),
  error: Nullable(Type.String()),
  queued_at: Time,
  started_at: Time,
  completed_at: Time,
})

export const ScanStatus = Type.Object({ scan_status: Nullable(ScanJobRow) })

export const ScanHistory = Type.Object({ history: Type.Array(ScanJobRow) })

export const HistoryQuery = Type.Object({ limit: Type.Optional(QueryInteger) })
