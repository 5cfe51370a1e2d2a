import type { Track } from './track.ts'

/** An album with the first of its tracks (document 1, Music album). */
export type Album = {
  id: string
  name: string
  artist: string
  /** Of the first track that says one. */
  year: number | null
  /** True total, whatever the length of `tracks`. */
  trackCount: number
  /** By disc and number; tracks without number last. */
  tracks: Track[]
}
