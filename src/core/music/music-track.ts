/** The name of the artist of an album whose tracks have different ones. */
export const VARIOUS_ARTISTS = 'Various Artists'

/** The name of the artist of an album that names none. */
export const UNKNOWN_ARTIST = 'Unknown Artist'

/** Longest name of an artist or title of an album, in characters: what is longer does not fit into an index. */
export const NAME_CHARACTERS = 500

/** A name with the one that lists are sorted by. Neither is empty. */
export type SortedName = { name: string; sortName: string }

/** What makes a media item a track (document 1, Music track). */
export type MusicTrack = {
  /** Who plays. */
  artist: string | null
  /** Whose album it is; for a track without album, whose track. */
  albumArtist: SortedName | null
  /** Nothing names the artist of the album, so that it is taken to be of this one, who plays; the whole folder decides. */
  guessedArtist: string | null
  /** `releaseId`: the UUID that MusicBrainz gives a release. */
  album: (SortedName & { releaseId: string | null }) | null
  /** From 1. */
  discNumber: number | null
  /** From 1; 0 is a track that is hidden before the first. */
  trackNumber: number | null
  year: number | null
  /** Its folder holds one disc of an album that has several (`Album/CD 2`). */
  isInDiscFolder: boolean
  /** SHA-256 of the front cover in the file. */
  pictureHash: Buffer | null
}
