/**
 * What a file beside the media, or inside a book, says about them. Every text can be stored as it is; what is missing or senseless
 * is null or an empty list. Plain values only: it crosses the border of a worker.
 */
export type LocalMetadata = {
  kind: 'movie' | 'series' | 'season' | 'episode' | 'artist' | 'album' | 'book' | 'comic' | 'audiobook' | 'unknown'
  title: string | null
  sortTitle: string | null
  originalTitle: string | null
  subtitle: string | null
  /** Of the series that an episode belongs to. */
  showTitle: string | null
  overview: string | null
  tagline: string | null
  year: number | null
  /** `2004-05-06` or `2004-05`; first showing or publication. */
  date: string | null
  genres: string[]
  studios: string[]
  publisher: string | null
  language: string | null
  /** As written: `PG-13`, `Rated R`, `12+`. */
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
  providerIds: ProviderIds
  chapters: LocalChapter[]
}

export type LocalActor = { name: string; role: string | null }

/** `part` as written: `3`, `0.5`. */
export type LocalSeries = { name: string; part: string | null }

/** An open end lasts to the next chapter or the end of the file. */
export type LocalChapter = { startSeconds: number; endSeconds: number | null; title: string | null }

export type ProviderIds = {
  imdb?: string
  tmdb?: string
  tvdb?: string
  musicBrainzArtist?: string
  musicBrainzRelease?: string
  musicBrainzReleaseGroup?: string
  /** 10 or 13 digits, checked. */
  isbn?: string
  asin?: string
}

/** `several` because one file may tell of several episodes. Never empty. */
export type SidecarOutcome = { kind: 'read'; several: LocalMetadata[] } | { kind: 'broken'; reason: string }

/** A record in which nothing is known. */
export function blankMetadata(kind: LocalMetadata['kind']): LocalMetadata {
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
