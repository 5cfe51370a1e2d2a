import { z } from 'zod'

/** The events that webhooks and channels can subscribe to. */
export const EVENT_KINDS = [
  'playback.started',
  'playback.ended',
  'library.updated',
  'passkey.added',
  'device.added',
  'backup.completed',
  'backup.failed',
  'webhook.test',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Limits of the listed item ids and titles of one library event; `itemCount` counts all items. */
export const LISTED_ITEMS = 100
export const LISTED_TITLES = 5

const Play = {
  userId: z.string(),
  userName: z.string(),
  /** Absent for the main profile, which is the account itself. */
  profileId: z.string().optional(),
  profileName: z.string().optional(),
  mediaItemId: z.string(),
  mediaType: z.string(),
  /** Display title: `Dark S01E02 Lies`. */
  title: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
}

const Started = z.strictObject({ event: z.literal('playback.started'), ...Play })

const Ended = z.strictObject({
  event: z.literal('playback.ended'),
  ...Play,
  /** Playing time in whole seconds, without pauses. */
  durationSeconds: z.number(),
  /** Whether the end, or 90 % of the duration, was reached. */
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
  /** Titles of the first items. */
  titles: z.array(z.string()),
})

const PasskeyAdded = z.strictObject({
  event: z.literal('passkey.added'),
  userId: z.string(),
  userName: z.string(),
  /** Location of the key: built into the device, or a portable authenticator. */
  deviceType: z.enum(['platform', 'cross-platform']),
})

const DeviceAdded = z.strictObject({
  event: z.literal('device.added'),
  userId: z.string(),
  userName: z.string(),
  /** `Firefox on Windows`, or the name that the client has sent. */
  deviceName: z.string(),
  deviceType: z.string(),
  /** Address of the client. */
  address: z.string().nullable(),
})

const BackupCompleted = z.strictObject({
  event: z.literal('backup.completed'),
  backupId: z.string(),
  label: z.string().nullable(),
  sizeBytes: z.number(),
  /** The folder of the server, or the bucket that the archive was copied to. */
  place: z.enum(['folder', 'bucket']),
})

const BackupFailed = z.strictObject({
  event: z.literal('backup.failed'),
  /** What did not succeed: the archive, or its copy in the bucket. */
  place: z.enum(['folder', 'bucket']),
  /** At most 500 characters. */
  reason: z.string(),
})

const Tested = z.strictObject({ event: z.literal('webhook.test'), message: z.string() })

/** The data of an event as stored with a delivery. */
export const OutboxEventFacts = z.discriminatedUnion('event', [
  Started,
  Ended,
  Updated,
  PasskeyAdded,
  DeviceAdded,
  BackupCompleted,
  BackupFailed,
  Tested,
])

/** An event with all data for webhooks and notifications. */
export type OutboxEvent = z.infer<typeof OutboxEventFacts>
