/** Songs in the order in which they are played. Every function returns a new queue. */

export type Song = {
  id: string
  title: string
  artist: string
  album: string
  /** The artist of the album. */
  albumArtist: string
  pictureUrl: string | null
  streamUrl: string
  durationSeconds: number | null
}

export const REPEATS = ['off', 'all', 'one'] as const

export type Repeat = (typeof REPEATS)[number]

export type Queue = {
  /** In the order of the album. */
  songs: readonly Song[]
  /** Indexes of the songs in the order in which they are played. */
  order: readonly number[]
  /** Index in `order`. */
  at: number
  isShuffled: boolean
  repeat: Repeat
}

/** A number from 0 up to 1. */
export type Random = () => number

/** @param start index of the song that is played first */
export function queueOf(songs: readonly Song[], start: number, repeat: Repeat = 'off'): Queue {
  return { songs, order: songs.map((_, index) => index), at: start, isShuffled: false, repeat }
}

export const songAt = ({ songs, order }: Queue, at: number): Song | undefined => songs[order[at] ?? -1]

export const presentSong = (queue: Queue): Song | undefined => songAt(queue, queue.at)

/** The place of the song that follows when the present one ends; undefined at the end. */
export function placeAfterEnd(queue: Queue): number | undefined {
  return queue.repeat === 'one' ? queue.at : placeBeside(queue, 1)
}

/** The place of the next or previous song, which a listener asks for; undefined at the ends. */
export function placeBeside({ order, at, repeat }: Queue, step: 1 | -1): number | undefined {
  const place = at + step
  if (place >= 0 && place < order.length) return place
  return repeat === 'off' ? undefined : (place + order.length) % order.length
}

/** In another order, which begins with the present song. */
export function shuffled(queue: Queue, random: Random): Queue {
  const present = queue.order[queue.at] ?? 0
  const rest = queue.order.filter((index) => index !== present)
  for (let last = rest.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[rest[last], rest[other]] = [rest[other] ?? 0, rest[last] ?? 0]
  }
  return { ...queue, order: [present, ...rest], at: 0, isShuffled: true }
}

/** In the order of the album again; the present song stays. */
export function ordered(queue: Queue): Queue {
  const present = queue.order[queue.at] ?? 0
  return { ...queue, order: queue.songs.map((_, index) => index), at: present, isShuffled: false }
}

/** With songs after the last one. */
export function extended(queue: Queue, added: readonly Song[]): Queue {
  const { songs, order } = queue
  return { ...queue, songs: [...songs, ...added], order: [...order, ...added.map((_, index) => songs.length + index)] }
}

/** With another address of the present song. */
export function withAddress(queue: Queue, streamUrl: string): Queue {
  const { songs, order, at } = queue
  const song = presentSong(queue)
  return song === undefined ? queue : { ...queue, songs: songs.with(order[at] ?? 0, { ...song, streamUrl }) }
}

export const afterRepeat = (repeat: Repeat): Repeat => REPEATS[(REPEATS.indexOf(repeat) + 1) % REPEATS.length] ?? 'off'
