import type { CreatedBackup, ListedBackup } from '../backups/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/** A backup of a folder. `expires_at` is null: the retention counts backups and knows no dates. */
export function backupView(backup: ListedBackup) {
  return {
    id: backup.id,
    label: backup.label,
    file_path: backup.path,
    size_bytes: backup.bytes,
    checksum_sha256: backup.sha256,
    is_s3: backup.isInBucket,
    created_at: toIsoTimestamp(backup.createdAt),
    expires_at: null,
    state: backup.state,
    problem: backup.problem,
    is_encrypted: backup.isEncrypted,
    schema_version: backup.schemaVersion,
    phlix_version: backup.phlixVersion,
    rows: backup.rows,
  }
}

/** A backup that has just been made. Its tables are counted; `tableDetailsView` has them one by one. */
export function createdBackupView(created: CreatedBackup) {
  return {
    id: created.id,
    path: created.path,
    bytes: created.bytes,
    sha256: created.sha256,
    created_at: toIsoTimestamp(created.createdAt),
    label: created.label,
    schema_version: created.schemaVersion,
    is_encrypted: created.isEncrypted,
    files: created.fileCount,
    tables: created.tables.length,
    rows: created.tables.reduce((sum, { rows }) => sum + rows, 0),
  }
}

/** The tables of a backup with what verification compares. */
export function tableDetailsView({ tables }: Pick<CreatedBackup, 'tables'>) {
  return tables.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 }))
}
