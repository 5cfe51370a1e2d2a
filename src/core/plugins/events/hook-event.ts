import type { HookEventName } from '../manifest/hook-events.ts'
import type { Permissions } from '../manifest/manifest.ts'

/** An event as plugins receive it, without its name. */
export type HookPayload = Readonly<Record<string, unknown>>

export type HookEvent = { name: HookEventName; payload: HookPayload; occurredAt: Date }

/** Keys that identify a person or a device, which need a permission. */
const USER_DETAILS: ReadonlySet<string> = new Set(['username', 'email', 'ipAddress', 'userAgent'])

/** Removes the details of users from a payload, unless the plugin has the permission to get them. */
export function filterPayloadByPermissions(payload: HookPayload, { areUserDetailsAllowed }: Permissions): HookPayload {
  if (areUserDetailsAllowed) return payload
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !USER_DETAILS.has(key)))
}
