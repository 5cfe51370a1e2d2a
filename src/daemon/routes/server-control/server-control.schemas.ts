import { Type } from 'typebox'

export const ServerStatus = Type.Object({
  status: Type.Literal('running'),
  uptime: Type.Integer(),
  started_at: Type.String(),
  version: Type.String(),
})

export const Restarting = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ message: Type.String() }),
})
