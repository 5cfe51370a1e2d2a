import type { Messages } from '../messages/en.ts'

/** The keys of a row that its card shows. Not every list has all of them. */
export type CardItem = {
  id: string
  name: string
  type: string
  poster_url: string | null
  poster_srcset?: string | null
  year?: number | null
  runtime?: number | null
  duration?: number | null
  artist?: string | null
  /** A fact that a list has beside these. */
  fact?: string
  season_number?: number | null
  episode_number?: number | null
  episode_title?: string | null
  position_ticks?: number
  duration_ticks?: number | null
  progress_percent?: number
  user_data?: {
    favorite: boolean
    watched: boolean
    position_ticks?: number
    duration_ticks?: number | null
    progress_percent?: number
    unwatched_episodes?: number | null
  }
}

/** Types of which the artist is said. */
const SUNG: ReadonlySet<string> = new Set(['audio', 'album'])

/** A tick is 100 ns. */
const TICKS_PER_MINUTE = 600_000_000

/** The title of an episode, the name of everything else. */
export const titleOf = ({ type, name, episode_title: title }: CardItem): string =>
  type === 'episode' ? (title ?? name) : name

/** The line under the title: what it is, its number, artist, year and length. Films, and songs with their artist, need no word for what they are. */
export function factsOf(item: CardItem, texts: Messages): string {
  const { type, year, runtime, duration, artist, fact } = item
  const length = isPositive(runtime)
    ? texts.minutes(runtime)
    : isPositive(duration)
      ? texts.seconds(duration)
      : undefined
  const facts = [wordOf(type, texts), numberOf(item, texts), SUNG.has(type) ? artist : undefined, fact, year, length]
  return facts.filter((fact) => fact !== undefined && fact !== null).join(' · ')
}

/** What the viewer has seen of it; empty if nothing. */
export function stateOf(item: CardItem, texts: Messages): string {
  const { user_data: own } = item
  if (own?.watched === true) return texts.watched
  if (isPositive(own?.unwatched_episodes) && isPositive(own.progress_percent))
    return texts.unwatchedEpisodes(own.unwatched_episodes)
  const left = minutesLeft({ ...item, ...own })
  if (left !== undefined) return texts.minutesLeft(left)
  const percent = progressOf(item)
  return percent > 0 && percent < 100 ? texts.percent(percent) : ''
}

/** How much of it was seen, heard or read, in percent. */
export function progressOf({ user_data: own, ...item }: CardItem): number {
  const { position_ticks: position, duration_ticks: duration, progress_percent: percent } = { ...item, ...own }
  if (own?.watched === true) return 0
  if (percent !== undefined) return Math.min(100, Math.round(percent))
  return isPositive(position) && isPositive(duration) ? Math.min(100, Math.round((position / duration) * 100)) : 0
}

function minutesLeft({ position_ticks: position, duration_ticks: duration }: Partial<CardItem>): number | undefined {
  if (!isPositive(position) || !isPositive(duration) || position >= duration) return undefined
  return Math.max(1, Math.round((duration - position) / TICKS_PER_MINUTE))
}

const isPositive = (value: number | null | undefined): value is number => (value ?? 0) > 0

function wordOf(type: string, { typeWords }: Messages): string | undefined {
  return Object.entries(typeWords).find(([key]) => key === type)?.[1]
}

function numberOf({ type, season_number: season, episode_number: episode }: CardItem, texts: Messages) {
  if (type !== 'episode' || episode === undefined || episode === null) return undefined
  return texts.episodeNumber(season ?? null, episode)
}
