import type { Song } from './queue.ts'

/** What the keys of a keyboard, a headset or the lock screen of a phone do. */
export type MediaCommands = {
  play: () => void
  pause: () => void
  next: () => void
  previous: () => void
  seek: (seconds: number) => void
  stop: () => void
}

const ACTIONS = ['play', 'pause', 'nexttrack', 'previoustrack', 'seekto', 'stop'] as const

/** Tells the device what is played, and lets its keys work. Not every browser has all of them. */
export function showMediaSession({ title, artist, album, pictureUrl }: Song, commands: MediaCommands): void {
  if (!('mediaSession' in navigator)) return
  const artwork = pictureUrl === null ? [] : [{ src: new URL(pictureUrl, location.href).href }]
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist, album, artwork })
  const { play, pause, next, previous, seek, stop } = commands
  setActions({
    play,
    pause,
    nexttrack: next,
    previoustrack: previous,
    seekto: ({ seekTime }) => seek(seekTime ?? 0),
    stop,
  })
}

export function showMediaPosition({ seconds, durationSeconds }: { seconds: number; durationSeconds: number }): void {
  if (!('mediaSession' in navigator) || durationSeconds <= 0) return
  navigator.mediaSession.setPositionState({
    duration: durationSeconds,
    position: Math.min(seconds, durationSeconds),
    playbackRate: 1,
  })
}

/** Something else may play: the keys belong to it. */
export function clearMediaSession(): void {
  if (!('mediaSession' in navigator)) return
  navigator.mediaSession.metadata = null
  setActions({})
}

function setActions(handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>>): void {
  for (const action of ACTIONS) navigator.mediaSession.setActionHandler(action, handlers[action] ?? null)
}
