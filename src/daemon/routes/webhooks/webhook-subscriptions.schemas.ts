import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { WebhookBody, WebhookRow } from './webhooks.schemas.ts'

/** Judged by the domain, as the body of a webhook. */
export const SubscribeBody = Type.Omit(WebhookBody, ['is_active'])

export const ChangeSubscriptionBody = Type.Object({
  ...SubscribeBody.properties,
  enabled: Type.Optional(Type.Boolean()),
})

const SubscriptionRow = Type.Object({ ...WebhookRow.properties, enabled: Type.Boolean() })

const Rows = Type.Array(SubscriptionRow)

/** Without `success`: the console client would take `data` for the whole reply, and look for `data` in it once more. */
export const SubscriptionList = Type.Object({ subscriptions: Rows, data: Type.Object({ subscriptions: Rows }) })

export const NewSubscription = Type.Object({
  message: Type.String(),
  subscription: SubscriptionRow,
  secret: Nullable(Type.String()),
})
