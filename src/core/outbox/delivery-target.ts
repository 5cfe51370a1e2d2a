/** What receives events: the common part of webhooks, notification channels and scrobblers. */
export type DeliveryTarget = {
  /** UUID. */
  id: string
  name: string
  events: readonly string[]
  isActive: boolean
  /** Total number of failed deliveries. */
  failureCount: number
  /** Total number of deliveries that were dropped because too many were waiting. */
  droppedCount: number
  lastTriggeredAt: Date | null
  createdAt: Date
}
