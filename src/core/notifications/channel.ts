import type { DeliveryTarget, EventKind } from '../outbox/index.ts'
import type { AppError } from '../platform/errors/index.ts'
import { notificationErrors } from './errors.ts'
import { SERVICE_NAMES, notificationServiceByName, type ChannelSettings, type ServiceName } from './services/index.ts'

/** A notification channel. Its name is unique, case-insensitive. */
export type NotificationChannel = DeliveryTarget & {
  service: ServiceName
  /** Settings of the service, with secrets as `***`. */
  settings: ChannelSettings
}

/** The events that channels can send. */
export const CHANNEL_EVENTS = [
  'playback.started',
  'playback.ended',
  'library.updated',
  'passkey.added',
  'device.added',
  'backup.completed',
  'backup.failed',
] as const satisfies EventKind[]

const NAME = /^[^\p{Cc}]{1,128}$/u

/** @throws AppError `invalid_channel` */
export function parseChannelName(value: string): string {
  const name = value.trim()
  if (NAME.test(name) && name.isWellFormed()) return name
  throw invalid('name', 'must be 1 to 128 characters on one line')
}

/** @throws AppError `invalid_channel` */
export function parseChannelService(value: string): ServiceName {
  const name = SERVICE_NAMES.find((known) => known === value)
  if (name !== undefined) return name
  throw invalid('service', `must be one of ${SERVICE_NAMES.join(', ')}`)
}

/**
 * The events of a channel; all of them for an empty list.
 * @throws AppError `invalid_channel`
 */
export function parseChannelEvents(values: readonly string[]): string[] {
  const events: readonly string[] = values.length === 0 ? CHANNEL_EVENTS : values
  const known: readonly string[] = CHANNEL_EVENTS
  if (events.every((event) => known.includes(event))) return [...new Set(events)]
  throw invalid('events', `must be some of ${CHANNEL_EVENTS.join(', ')}`)
}

/**
 * Validates the settings of a service and adds its defaults. The error contains the name of the setting, never its value.
 * @throws AppError `invalid_channel`
 */
export function parseChannelSettings(service: ServiceName, given: Readonly<Record<string, string>>): ChannelSettings {
  const parsed = notificationServiceByName(service).settings.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (issue?.code === 'unrecognized_keys') throw invalid(issue.keys[0] ?? '', `is no setting of ${service}`)
  const field = String(issue?.path[0] ?? 'settings')
  const isMissing = given[field] === undefined && issue?.code === 'invalid_type'
  throw invalid(field, isMissing ? `is required for ${service}` : (issue?.message ?? 'is not valid'))
}

/** The settings with masked secrets. */
export function maskSettings(service: ServiceName, settings: ChannelSettings): ChannelSettings {
  const { secrets } = notificationServiceByName(service)
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      secrets.includes(name) && value !== undefined ? '***' : value,
    ]),
  )
}

function invalid(field: string, problem: string): AppError {
  return notificationErrors.invalid_channel({ message: `${field} ${problem}`, details: { field } })
}
