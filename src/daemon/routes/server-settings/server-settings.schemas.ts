import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'

const Changed = { settings: FreeObject, overridden: Type.Array(Type.String()) }

/** Each object is keyed by setting name. */
export const ServerSettings = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ ...Changed, types: FreeObject, meta: FreeObject, secretStatus: FreeObject }),
})

export const ChangedSettings = Type.Object({
  success: Type.Literal(true),
  data: Type.Object(Changed),
  warnings: Type.Array(Type.String()),
})

export const SettingsBody = Type.Object({
  settings: FreeObject,
  /** Whether local sign-in may be switched off although an outage of the provider would keep everybody out. */
  accept_sign_in_risk: Type.Optional(Type.Boolean()),
})
