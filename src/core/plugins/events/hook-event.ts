import type { HookEventName } from '../manifest/hook-events.ts'
import type { Permissions } from '../manifest/manifest.ts'

/** An event as plugins receive it, without its name. */
export type HookPayload = Readonly<Record<string, unknown>>

export type HookEvent = { name: HookEventName; payload: HookPayload; occurredAt: Date }

/** Keys that identify a person or a device, which need a permission. */
const USER_DETAILS: ReadonlySet<string> = new Set(['username', 'email', 'ipAddress', 'userAgent'])

/** The payload for a plugin: without the details of users unless they were granted. */
export function payloadFor(payload: HookPayload, { areUserDetailsAllowed }: Permissions): HookPayload {
  if (areUserDetailsAllowed) return payload
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !USER_DETAILS.has(key)))
}
