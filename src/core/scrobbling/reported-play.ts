/** The facts about a played item that are sent to services. */
export type ScrobbledItem = ScrobbledTrack | ScrobbledMovie | ScrobbledEpisode

export type ScrobbledTrack = {
  type: 'track'
  name: string
  artist: string
  album: string | null
  trackNumber: number | null
  durationSeconds: number | null
}

/** Ids by provider, for example `{ tmdb: '348', imdb: 'tt0078748' }`. */
export type ScrobbledIds = Readonly<Record<string, string>>

export type ScrobbledMovie = {
  type: 'movie'
  title: string
  year: number | null
  ids: ScrobbledIds
  durationSeconds: number | null
}

export type ScrobbledEpisode = {
  type: 'episode'
  series: { title: string; year: number | null; ids: ScrobbledIds }
  seasonNumber: number
  episodeNumber: number
  durationSeconds: number | null
}

/** A play as it is reported: its begin, or its end. */
export type ReportedPlay = {
  item: ScrobbledItem
  /** When the event occurred. */
  occurredAt: Date
  /** Null at the begin of a play. */
  end: { playedSeconds: number; isCompleted: boolean } | null
}

/** Shorter tracks are not listens. */
const MIN_TRACK_SECONDS = 30
/** A listen is half of a track, or this many seconds of a long one. */
const SUFFICIENT_SECONDS = 240

/**
 * Whether an ended play of a track is a listen: the track is longer than 30 s, and half of it or 4 minutes were played. Last.fm and
 * ListenBrainz have the same rule (https://www.last.fm/api/scrobbling). A track of unknown duration needs 4 minutes or its end.
 */
export function countsAsListen({ durationSeconds }: ScrobbledTrack, end: NonNullable<ReportedPlay['end']>): boolean {
  const { playedSeconds, isCompleted } = end
  if (durationSeconds === null) return isCompleted || playedSeconds >= SUFFICIENT_SECONDS
  return durationSeconds > MIN_TRACK_SECONDS && playedSeconds >= Math.min(durationSeconds / 2, SUFFICIENT_SECONDS)
}

/** The progress of a play in percent, 0 to 100 with one decimal. A completed play is at 100. */
export function progressPercent({ item, end }: ReportedPlay): number {
  if (end === null) return 0
  if (end.isCompleted) return 100
  const { durationSeconds } = item
  if (durationSeconds === null || durationSeconds <= 0) return 0
  return Math.round(Math.min(end.playedSeconds / durationSeconds, 1) * 1000) / 10
}
