/** A track as lists show it (document 1, Music track). */
export type Track = {
  /** The media item. */
  id: string
  name: string
  /** Who plays; whose album it is where no one is named. */
  artist: string | null
  album: string | null
  /** Of the album; of the track itself where it has none. */
  year: number | null
  trackNumber: number | null
  discNumber: number | null
  durationSeconds: number | null
  /** What tags and files beside it say: `genres`. */
  metadata: Record<string, unknown>
}
