import type { Track } from './track.ts'

/** An album with the first of its tracks (document 1, Music album). */
export type Album = {
  id: string
  name: string
  artist: string
  /** Of the first track that says one, else as a provider says. */
  year: number | null
  /** What a provider says: MusicBrainz' numbers, date of release, genres. */
  metadata: Record<string, unknown>
  /** True total, whatever the length of `tracks`. */
  trackCount: number
  /** By disc and number; tracks without number last. */
  tracks: Track[]
}
