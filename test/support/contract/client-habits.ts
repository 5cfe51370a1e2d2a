/** A row of document 4, section 10: what a client sends, with its habits, and what its code reads of the answer. */
export type ClientRow = {
  clients: string
  ask: string
  /** A string is sent as it stands. */
  body?: unknown
  as?: 'admin'
  headers?: Record<string, string>
  status?: number
  /** Paths of keys, of lists the first entry. */
  reads: readonly string[]
}

/** The web client says so on requests without a body, too. */
export const WEB = { 'content-type': 'application/json' }
/** Headers of the others. */
export const CONSOLE = { accept: 'application/json' }
export const ROKU = { 'X-Phlix-Device-ID': 'r1', 'X-Phlix-Device-Name': 'Living room', 'X-Phlix-Device-Type': 'roku' }
export const MOBILE = { ...ROKU, 'X-Phlix-Device-Type': 'android', 'X-Phlix-Session-ID': 'none' }

/** What every client reads of the row of a list. */
export const ROW = [
  'items.id',
  'items.name',
  'items.type',
  'items.poster_url',
  'items.genres',
  'items.year',
  'items.runtime',
]
/** Where a user left an item. */
export const PLACE = ['items.position_ticks', 'items.duration_ticks', 'items.media_item_id', 'items.metadata']
