import type { WantedAlbum } from '../metadata/index.ts'

import type { Track } from './track.ts'

/** An album with the first of its tracks. */
export type Album = {
  id: string
  name: string
  artist: string
  /** The year of the first track with a year tag, else of a provider. */
  year: number | null
  /** Data of providers: MusicBrainz ids, date of release, genres. */
  metadata: Record<string, unknown>
  /** The real total, independent of the length of `tracks`. */
  trackCount: number
  /** The tracks ordered by disc and number; tracks without a number are last. */
  tracks: Track[]
}

/** An album with the fields that matching needs. */
export type MatchableAlbum = WantedAlbum & { id: string; artistId: string; isArtistKnown: boolean }
