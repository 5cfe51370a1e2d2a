import type { OutboxEvent } from '../outbox/index.ts'
import { pluralize } from '../platform/errors/index.ts'

/** The text of a notification: plain, neither escaped nor truncated. */
export type NotificationText = {
  title: string
  text: string
  /** Severity, for services that use it for colours or priorities. */
  severity: 'neutral' | 'good' | 'warning'
  /** Category, for services that display an icon. */
  subject: 'playback' | 'library' | 'security' | 'backup' | 'test'
}

/** Formats an event as text. Pure. */
export function formatNotificationText(facts: OutboxEvent): NotificationText {
  switch (facts.event) {
    case 'playback.started': {
      const text = `${viewerOf(facts)} is playing ${facts.title}${deviceSuffixOf(facts)}.`
      return { title: 'Playback started', text, severity: 'neutral', subject: 'playback' }
    }
    case 'playback.ended': {
      const { title, isCompleted } = facts
      const [head, verb] = isCompleted ? ['Playback finished', 'finished'] : ['Playback stopped', 'stopped']
      const text = `${viewerOf(facts)} ${verb} ${title}${deviceSuffixOf(facts)} after ${durationOf(facts.durationSeconds)}.`
      return { title: head, text, severity: isCompleted ? 'good' : 'neutral', subject: 'playback' }
    }
    case 'library.updated':
      return wordingOfLibrary(facts)
    case 'passkey.added':
      return wordingOfPasskey(facts)
    case 'device.added':
      return wordingOfDevice(facts)
    case 'backup.completed': {
      const { label, sizeBytes, place } = facts
      const what = label === null ? 'A backup' : `The backup “${label}”`
      const text = `${what} of ${(sizeBytes / 1_000_000).toFixed(1)} MB was ${place === 'folder' ? 'made' : 'uploaded'}.`
      return {
        title: place === 'folder' ? 'Backup made' : 'Backup uploaded',
        text,
        severity: 'good',
        subject: 'backup',
      }
    }
    case 'backup.failed':
      return {
        title: facts.place === 'folder' ? 'Backup failed' : 'Upload of the backup failed',
        text: facts.reason,
        severity: 'warning',
        subject: 'backup',
      }
    case 'webhook.test':
      return { title: 'Test', text: facts.message, severity: 'neutral', subject: 'test' }
  }
}

type LibraryUpdate = Extract<OutboxEvent, { event: 'library.updated' }>

const CHANGES = {
  item_added: ['added', 'good'],
  item_removed: ['removed', 'warning'],
  metadata_updated: ['updated', 'neutral'],
} as const satisfies Record<LibraryUpdate['change'], readonly [string, NotificationText['severity']]>

function wordingOfLibrary({ change, libraryName, itemCount, titles }: LibraryUpdate): NotificationText {
  const [verb, severity] = CHANGES[change]
  const rest = itemCount - titles.length
  const names = rest > 0 ? [...titles, `${rest} more`] : titles
  const text = new Intl.ListFormat('en-GB').format(names)
  return { title: `${libraryName}: ${pluralize(itemCount, 'item')} ${verb}`, text, severity, subject: 'library' }
}

/** The account, and the profile unless it is the main one. */
function viewerOf({ userName, profileName }: { userName: string; profileName?: string | undefined }): string {
  return profileName === undefined ? userName : `${profileName} (${userName})`
}

function wordingOfPasskey({
  userName,
  deviceType,
}: Extract<OutboxEvent, { event: 'passkey.added' }>): NotificationText {
  const device = deviceType === 'platform' ? 'a device' : 'a security key or a phone'
  const text = `${userName} can now sign in with a passkey on ${device}.`
  return { title: 'Passkey added', text, severity: 'warning', subject: 'security' }
}

function wordingOfDevice({
  userName,
  deviceName,
  address,
}: Extract<OutboxEvent, { event: 'device.added' }>): NotificationText {
  const place = address === null ? '' : ` at ${address}`
  const text = `${userName} has signed in with a new device: ${deviceName}${place}.`
  return { title: 'New device', text, severity: 'warning', subject: 'security' }
}

function deviceSuffixOf({ deviceName }: { deviceName: string | null }): string {
  return deviceName === null || deviceName.trim() === '' ? '' : ` on ${deviceName}`
}

/** `45 s`, `12 min`, `1 h 56 min`. */
function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
