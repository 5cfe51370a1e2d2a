/** The events that a plugin may receive. In a manifest each may have the prefix `phlix.`. */
export const HOOK_EVENTS = [
  'playback.started',
  'playback.paused',
  'playback.resumed',
  'playback.stopped',
  'library.scan.started',
  'library.scan.completed',
  'library.item.added',
  'library.item.updated',
  'library.item.removed',
  'user.created',
  'user.logged_in',
  'user.logged_out',
] as const

export type HookEventName = (typeof HOOK_EVENTS)[number]

/** The name without the prefix; undefined for an unknown event. */
export function readEventName(text: string): HookEventName | undefined {
  const name = text.replace(/^phlix\./, '')
  return HOOK_EVENTS.find((event) => event === name)
}
