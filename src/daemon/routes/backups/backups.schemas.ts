import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Text = Nullable(Type.String())
const Count = Nullable(Type.Integer())

const BackupRow = Type.Object({
  id: Type.String(),
  label: Text,
  file_path: Type.String(),
  size_bytes: Type.Integer(),
  checksum_sha256: Type.String(),
  is_s3: Type.Boolean(),
  created_at: Type.String(),
  expires_at: Type.Null(),
  state: Type.String(),
  problem: Text,
  is_encrypted: Type.Boolean(),
  schema_version: Count,
  phlix_version: Text,
  rows: Count,
})

export const BackupList = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(BackupRow),
  count: Type.Integer(),
})

export const CreateBody = Type.Object({ label: Type.Optional(Nullable(Type.String({ maxLength: 200 }))) })

export const CreatedBackup = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ backup_id: Type.String(), file_path: Type.String(), size_bytes: Type.Integer() }),
})

export const UploadedBackup = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    backup_id: Type.String(),
    location: Type.String(),
    size_bytes: Type.Integer(),
    checksum_sha256: Type.String(),
  }),
})

export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() })

export const ScheduleBody = Type.Object({
  auto_backup_interval_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  retention_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})

const ScheduleFields = {
  auto_backup_interval_days: Type.Integer(),
  retention_count: Type.Integer(),
  next_scheduled_backup: Count,
  next_scheduled_backup_iso: Text,
}

export const Schedule = Type.Object({
  success: Type.Literal(true),
  ...ScheduleFields,
  data: Type.Object(ScheduleFields),
})
