import { Type } from 'typebox'
import { FreeObject, Nullable } from '../../http/schemas.ts'

const Check = Type.Object({
  id: Type.String(),
  level: Type.String(),
  message: Type.String(),
  fix: Nullable(Type.String()),
})

export const AdminHealth = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
    missing: Type.Array(Type.String()),
    server: Nullable(FreeObject),
    checks: Type.Array(Check),
  }),
})
