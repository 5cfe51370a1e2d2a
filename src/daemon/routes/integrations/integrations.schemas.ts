import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const WebhookReceipt = Type.Object({
  event: Type.String(),
  available: Type.Integer(),
  library_id: Nullable(Type.String()),
})
