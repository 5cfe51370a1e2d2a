import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { WebhookBody, WebhookRow } from './webhooks.schemas.ts'

/** The domain validates the fields, as for webhooks. */
export const SubscribeBody = Type.Omit(WebhookBody, ['is_active'])

export const ChangeSubscriptionBody = Type.Object({
  ...SubscribeBody.properties,
  enabled: Type.Optional(Type.Boolean()),
})

const SubscriptionRow = Type.Object({ ...WebhookRow.properties, enabled: Type.Boolean() })

const Rows = Type.Array(SubscriptionRow)

/** Without `success`: with it the console client would look for `data` inside `data`. */
export const SubscriptionList = Type.Object({ subscriptions: Rows, data: Type.Object({ subscriptions: Rows }) })

export const NewSubscription = Type.Object({
  message: Type.String(),
  subscription: SubscriptionRow,
  secret: Nullable(Type.String()),
})
