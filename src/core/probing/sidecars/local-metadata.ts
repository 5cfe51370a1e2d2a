/**
 * Metadata from a sidecar, or from inside a book. Texts are safe to store; missing or invalid values are null or an empty list. Plain
 * values only, because it is sent between threads.
 */
export type LocalMetadata = {
  kind: 'movie' | 'series' | 'season' | 'episode' | 'artist' | 'album' | 'book' | 'comic' | 'audiobook' | 'unknown'
  title: string | null
  sortTitle: string | null
  originalTitle: string | null
  subtitle: string | null
  /** Title of the series of an episode. */
  showTitle: string | null
  overview: string | null
  tagline: string | null
  year: number | null
  /** `2004-05-06` or `2004-05`; first broadcast or publication. */
  date: string | null
  genres: string[]
  /** Free words about the content, by which an account can be limited. */
  tags: string[]
  studios: string[]
  publisher: string | null
  language: string | null
  /** Content rating as the file states it: `PG-13`, `Rated R`, `12+`. */
  contentRating: string | null
  /** 0 to 10. */
  score: number | null
  directors: string[]
  writers: string[]
  actors: LocalActor[]
  artists: string[]
  authors: string[]
  narrators: string[]
  series: LocalSeries[]
  seasonNumber: number | null
  episodeNumber: number | null
  providerIds: SidecarProviderIds
  chapters: LocalChapter[]
}

export type LocalActor = { name: string; role: string | null }

/** `part` as written: `3`, `0.5`. */
export type LocalSeries = { name: string; part: string | null }

/** A null end means the start of the next chapter or the end of the file. */
export type LocalChapter = { startSeconds: number; endSeconds: number | null; title: string | null }

export type SidecarProviderIds = {
  imdb?: string
  tmdb?: string
  tvdb?: string
  musicBrainzArtist?: string
  musicBrainzRelease?: string
  musicBrainzReleaseGroup?: string
  /** 10 or 13 digits with a valid check digit. */
  isbn?: string
  asin?: string
}

/** `several`: a file may describe several episodes. Never empty. */
export type SidecarOutcome = { kind: 'read'; several: LocalMetadata[] } | { kind: 'broken'; reason: string }

/** Returns a record without values. */
export function emptyMetadata(kind: LocalMetadata['kind']): LocalMetadata {
  return {
    kind,
    title: null,
    sortTitle: null,
    originalTitle: null,
    subtitle: null,
    showTitle: null,
    overview: null,
    tagline: null,
    year: null,
    date: null,
    genres: [],
    tags: [],
    studios: [],
    publisher: null,
    language: null,
    contentRating: null,
    score: null,
    directors: [],
    writers: [],
    actors: [],
    artists: [],
    authors: [],
    narrators: [],
    series: [],
    seasonNumber: null,
    episodeNumber: null,
    providerIds: {},
    chapters: [],
  }
}
