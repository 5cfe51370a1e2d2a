import type { Played } from './own-progress.ts'

/** What the rest of the page does for music. */
export type MusicPage = {
  /** Where the songs are played and shown; outside of the views, so that it stays while they change. */
  frame: HTMLElement
  onProgress: (played: Played) => void
  onSignedOut: () => void
}

/** What the rest of the page may do with the music. */
export type MusicControl = {
  pause: () => void
  /** Ends it. @param reason said to the listener; without one nothing stays of it */
  stop: (reason?: string) => void
  /** The listener signs out. */
  leave: () => void
  /** The song that is played or paused. */
  itemId: () => string | undefined
}

let page: MusicPage | undefined
let control: MusicControl | undefined

export function connectMusic(given: MusicPage): void {
  page = given
}

/** @throws Error before the page has started */
export function musicPage(): MusicPage {
  if (page === undefined) throw new Error('The page has no place for music')
  return page
}

/** Called by the player of music, which is loaded when a song is played. */
export function registerMusic(given: MusicControl): void {
  control = given
}

/** The music of the page; there may be none. */
export const music: MusicControl = {
  pause: () => control?.pause(),
  stop: (reason) => control?.stop(reason),
  leave: () => control?.leave(),
  itemId: () => control?.itemId(),
}
