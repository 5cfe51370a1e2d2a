/** A request of an existing client with its headers, and the keys that the client reads from the response. */
export type ClientRow = {
  clients: string
  ask: string
  /** A string is sent unchanged. */
  body?: unknown
  as?: 'admin'
  headers?: Record<string, string>
  status?: number
  /** Paths of keys; of a list the first entry. */
  reads: readonly string[]
}

/** The web client sends this header on requests without a body, too. */
export const WEB = { 'content-type': 'application/json' }
/** Headers of the other clients. */
export const CONSOLE = { accept: 'application/json' }
export const ROKU = { 'X-Phlix-Device-ID': 'r1', 'X-Phlix-Device-Name': 'Living room', 'X-Phlix-Device-Type': 'roku' }
export const MOBILE = { ...ROKU, 'X-Phlix-Device-Type': 'android', 'X-Phlix-Session-ID': 'none' }

/** Keys that every client reads from a list row. */
export const ROW = [
  'items.id',
  'items.name',
  'items.type',
  'items.poster_url',
  'items.genres',
  'items.year',
  'items.runtime',
]
/** Keys of a user's position in an item. */
export const PLACE = ['items.position_ticks', 'items.duration_ticks', 'items.media_item_id', 'items.metadata']
