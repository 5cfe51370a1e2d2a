import { type EpisodeReading } from './episode-reading.ts'
import { type BareNumber } from '../numbering/number-score.ts'

/** The numbers of an episode in its series. */
export type EpisodePosition = {
  /** 0 for specials, a year for series that are numbered so (`S2009E02`), null if unknown. */
  seasonNumber: number | null
  episodeNumber: number | null
  /** The last episode of a file that holds several. */
  endingEpisodeNumber: number | null
  /**
   * The absolute number if the number may be one: `[Group] Title - 136` and `Title 112`, which is also read as 1x12. A half (12.5) is a
   * recap between two episodes.
   */
  absoluteNumber: number | null
  endingAbsoluteNumber: number | null
}

/**
 * Season and episode of a reading, in the season of its folder. An ambiguous number is returned in both forms, unless its neighbours show
 * that the numbering is absolute (`isAbsolute`).
 */
export function resolveEpisodePosition(
  reading: EpisodeReading,
  folderSeason: number | null,
  isAbsolute: boolean,
): EpisodePosition {
  const season = reading.season ?? folderSeason
  const bare = reading.bare
  if (bare === null) return markedNumbers(reading, season)
  const split = isAbsolute ? undefined : splitNumber(bare, reading, season)
  const isOpen = season === null || reading.hasGroup || isAbsolute
  return {
    seasonNumber: split?.season ?? season,
    episodeNumber: split?.episode ?? Math.floor(bare.value),
    endingEpisodeNumber: split === undefined ? bare.ending : split.ending,
    absoluteNumber: isOpen ? bare.value : null,
    endingAbsoluteNumber: isOpen ? bare.ending : null,
  }
}

/** Numbers from a marker or a word. */
function markedNumbers({ episode, ending }: EpisodeReading, season: number | null): EpisodePosition {
  const isOpen = season === null && episode !== null
  return {
    seasonNumber: season,
    episodeNumber: episode,
    endingEpisodeNumber: ending,
    absoluteNumber: isOpen ? episode : null,
    endingAbsoluteNumber: isOpen ? ending : null,
  }
}

type SplitNumber = { season: number; episode: number; ending: number | null }

/** `117` is 1x17 and `0307` 3x07, unless a group numbers absolutely; in season 10 `1005` is 10x05, and in season 1 `101-102` are two. */
function splitNumber(bare: BareNumber, { hasGroup }: EpisodeReading, season: number | null): SplitNumber | undefined {
  const { value, digits, ending } = bare
  if (hasGroup || digits < 3 || (digits === 3 && value < 100)) return undefined
  const split = {
    season: Math.floor(value / 100),
    episode: Math.floor(value % 100),
    ending: ending === null ? null : ending % 100,
  }
  if (season !== null) return season === split.season && (ending === null || ending - value < 100) ? split : undefined
  return isSingleOrPair(bare) && (digits === 3 || bare.isPadded) ? split : undefined
}

/** `103`, and `103.104` of one season. */
function isSingleOrPair({ value, ending }: BareNumber): boolean {
  return ending === null || (ending === value + 1 && ending % 100 > 1)
}

/** Season 0, a number between two others, or a word for specials without a number. */
export function isSpecialEpisode(reading: EpisodeReading, { seasonNumber, absoluteNumber }: EpisodePosition): boolean {
  if (seasonNumber === 0 || reading.specialWord !== null) return true
  const isBetween = absoluteNumber !== null && !Number.isInteger(absoluteNumber)
  // `S11E00 Christmas Special`: numbered with its season, but not a part of its story.
  const isNumbered = reading.episode !== null && reading.episode !== 0 && reading.season !== null
  return isBetween || (reading.hasSpecialWord && !isNumbered)
}
