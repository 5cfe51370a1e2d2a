import { z } from 'zod'

/** What webhooks and channels can be told about (document 2, Events). */
export const EVENT_KINDS = [
  'playback.started',
  'playback.ended',
  'library.updated',
  'passkey.added',
  'webhook.test',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** How many items, and how many names, one announcement of a library lists; `itemCount` counts all. */
export const LISTED_ITEMS = 100
export const LISTED_TITLES = 5

const Play = {
  userId: z.string(),
  userName: z.string(),
  mediaItemId: z.string(),
  mediaType: z.string(),
  /** As people name it: `Dark S01E02 Lies`. */
  title: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
}

const Started = z.strictObject({ event: z.literal('playback.started'), ...Play })

const Ended = z.strictObject({
  event: z.literal('playback.ended'),
  ...Play,
  /** Whole seconds that it played, without pauses. */
  durationSeconds: z.number(),
  /** Whether the end, or 90 %, was reached. */
  isCompleted: z.boolean(),
})

const Updated = z.strictObject({
  event: z.literal('library.updated'),
  change: z.enum(['item_added', 'item_removed', 'metadata_updated']),
  libraryId: z.string(),
  libraryName: z.string(),
  /** At least one, at most 100. */
  mediaItemIds: z.array(z.string()),
  itemCount: z.number(),
  /** Of the first few. */
  titles: z.array(z.string()),
})

const PasskeyAdded = z.strictObject({
  event: z.literal('passkey.added'),
  userId: z.string(),
  userName: z.string(),
  /** Where the key is: in the device itself, or in something that is carried from one device to another. */
  deviceType: z.enum(['platform', 'cross-platform']),
})

const Tested = z.strictObject({ event: z.literal('webhook.test'), message: z.string() })

/** Facts as they are kept with a delivery. */
export const OutboxEventFacts = z.discriminatedUnion('event', [Started, Ended, Updated, PasskeyAdded, Tested])

/** Something that happened, with all that webhooks and people are told of it. */
export type OutboxEvent = z.infer<typeof OutboxEventFacts>
