import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

export const AuditQuery = Type.Object({ limit: Type.Optional(QueryInteger), offset: Type.Optional(QueryInteger) })

export const AuditEntry = Type.Object({
  id: Type.Integer(),
  action: Type.String(),
  actor: Type.String(),
  target: Type.String(),
  address: Nullable(Type.String()),
  created_at: Type.String(),
})

export const AuditLog = Type.Object({
  logs: Type.Array(AuditEntry),
  total: Type.Integer(),
  limit: Type.Integer(),
})
