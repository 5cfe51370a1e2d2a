/** Artist name of an album whose tracks have different artists. */
export const VARIOUS_ARTISTS = 'Various Artists'

/** Artist name of an album without an artist. */
export const UNKNOWN_ARTIST = 'Unknown Artist'

/** Maximum length of an artist name or album title, in characters: longer values exceed the size limit of an index. */
export const MAX_NAME_CHARACTERS = 500

/** A name and its sort name. Neither is empty. */
export type SortedName = { name: string; sortName: string }

/** The data that makes a media item a track. */
export type MusicTrack = {
  /** The performer. */
  artist: string | null
  /** The artist of the album; for a track without album, the artist of the track. */
  albumArtist: SortedName | null
  /** The performer, if no tag names the artist of the album. It is used as a guess; the final artist depends on the whole folder. */
  guessedArtist: string | null
  /** `releaseId`: the UUID of the release at MusicBrainz. */
  album: (SortedName & { releaseId: string | null }) | null
  /** Number of the disc, counted from 1. */
  discNumber: number | null
  /** Number of the track, counted from 1; 0 is a hidden track before the first one. */
  trackNumber: number | null
  year: number | null
  /** The folder of the track holds one disc of a multi-disc album (`Album/CD 2`). */
  isInDiscFolder: boolean
  /** SHA-256 of the front cover in the file. */
  pictureHash: Buffer | null
}
