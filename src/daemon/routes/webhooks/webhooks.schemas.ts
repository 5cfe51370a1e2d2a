import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

/** The domain validates the fields, because its errors list the missing fields. */
export const WebhookBody = Type.Object({
  name: Type.Optional(Type.Unknown()),
  url: Type.Optional(Type.Unknown()),
  secret: Type.Optional(Type.Unknown()),
  events: Type.Optional(Type.Unknown()),
  is_active: Type.Optional(Type.Unknown()),
})

const NullableText = Nullable(Type.String())

export const WebhookRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
  last_triggered_at: NullableText,
  failure_count: Type.Integer(),
  dropped_count: Type.Integer(),
})

export const OneWebhook = Type.Object({ webhook: WebhookRow })

export const WebhookList = Type.Object({ webhooks: Type.Array(WebhookRow) })

export const TestResult = Type.Object({
  success: Type.Boolean(),
  success_count: Type.Integer(),
  failure_count: Type.Integer(),
  failures: Type.Array(Type.Object({ webhook_id: Type.String(), url: Type.String(), error: Type.String() })),
})

export const LogQuery = Type.Object({
  webhook_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  page: Type.Optional(QueryInteger),
  per_page: Type.Optional(QueryInteger),
})

const LogRow = Type.Object({
  id: Type.String(),
  webhook_id: Type.String(),
  webhook_name: Type.String(),
  event: Type.String(),
  status: Type.String(),
  occurred_at: Type.String(),
  attempted_at: NullableText,
  status_code: Nullable(Type.Integer()),
  response_body: NullableText,
  error_message: NullableText,
  retry_count: Type.Integer(),
  next_retry_at: NullableText,
})

export const DeliveryLog = Type.Object({
  logs: Type.Array(LogRow),
  total: Type.Integer(),
  page: Type.Integer(),
  per_page: Type.Integer(),
})

export const RetriedDelivery = Type.Object({ success: Type.Boolean(), message: Type.String(), log: LogRow })
