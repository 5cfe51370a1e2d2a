import { signal } from '@preact/signals'
import type { CardItem } from './facts.ts'

/** Where the viewer is in an item, as the player reports it to the server. */
export type Played = { itemId: string; seconds: number; durationSeconds: number | undefined; hasEnded: boolean }

/** From this share on, the server counts an item as watched. */
const WATCHED_SHARE = 0.9

const TICKS_PER_SECOND = 10_000_000

/** What was played since the rows were loaded. */
const played = signal<ReadonlyMap<string, Played>>(new Map())

export function notePlayed(place: Played): void {
  played.value = new Map([...played.value, [place.itemId, place]])
}

/** The next rows know it. */
export function forgetPlayed(): void {
  played.value = new Map()
}

/** The item with the place of the viewer, before the server says it. */
export function withPlayed(item: CardItem): CardItem {
  const place = played.value.get(item.id)
  return place === undefined ? item : { ...item, user_data: { ...ownOf(item), ...dataOf(place) } }
}

const ownOf = ({
  user_data: own = { favorite: false, watched: false },
}: CardItem): NonNullable<CardItem['user_data']> => own

function dataOf({ seconds, durationSeconds = 0, hasEnded }: Played) {
  const isWatched = hasEnded || (durationSeconds > 0 && seconds / durationSeconds >= WATCHED_SHARE)
  return {
    position_ticks: Math.round(seconds * TICKS_PER_SECOND),
    duration_ticks: Math.round(durationSeconds * TICKS_PER_SECOND),
    progress_percent: durationSeconds > 0 ? (seconds / durationSeconds) * 100 : 0,
    ...(isWatched ? { watched: true } : {}),
  }
}
