import { type EpisodeReading } from './episode-reading.ts'
import { type BareNumber } from './number-score.ts'

/** Where an episode stands in its series. */
export type EpisodePlace = {
  /** 0 for specials, a year for series that count so (`S2009E02`), null when nothing tells. */
  seasonNumber: number | null
  episodeNumber: number | null
  /** The last episode of a file that holds several. */
  endingEpisodeNumber: number | null
  /**
   * The number as it stands when it may count from the first episode on: `[Group] Title - 136` and `Title 112`, which is also
   * read as 1x12. A half (12.5) is a recap between two episodes.
   */
  absoluteNumber: number | null
  endingAbsoluteNumber: number | null
}

/** Season and episode of a reading, below the season of its folder. What the number alone leaves open is given both ways. */
export function numbersOf(reading: EpisodeReading, folderSeason: number | null): EpisodePlace {
  const season = reading.season ?? folderSeason
  const bare = reading.bare
  if (bare === null) {
    const isOpen = season === null && reading.episode !== null
    return {
      seasonNumber: season,
      episodeNumber: reading.episode,
      endingEpisodeNumber: reading.ending,
      absoluteNumber: isOpen ? reading.episode : null,
      endingAbsoluteNumber: isOpen ? reading.ending : null,
    }
  }
  const split = splitNumber(bare, reading, season)
  const isOpen = season === null || reading.hasGroup
  return {
    seasonNumber: split?.season ?? season,
    episodeNumber: split?.episode ?? Math.floor(bare.value),
    endingEpisodeNumber: split === undefined ? bare.ending : split.ending,
    absoluteNumber: isOpen ? bare.value : null,
    endingAbsoluteNumber: isOpen ? bare.ending : null,
  }
}

type Split = { season: number; episode: number; ending: number | null }

/** `117` is 1x17 and `0307` 3x07, unless a group counts on; in season 10 `1005` is 10x05, and in season 1 `101-102` are two. */
function splitNumber(bare: BareNumber, { hasGroup }: EpisodeReading, season: number | null): Split | undefined {
  const { value, digits, ending } = bare
  if (hasGroup || digits < 3 || (digits === 3 && value < 100)) return undefined
  const split = {
    season: Math.floor(value / 100),
    episode: Math.floor(value % 100),
    ending: ending === null ? null : ending % 100,
  }
  if (season !== null) return season === split.season && (ending === null || ending - value < 100) ? split : undefined
  return ending === null && (digits === 3 || bare.isPadded) ? split : undefined
}

/** Season 0, a number between two others, or a word for specials where no number stands. */
export function isSpecial(reading: EpisodeReading, { seasonNumber, absoluteNumber }: EpisodePlace): boolean {
  if (seasonNumber === 0) return true
  const isBetween = absoluteNumber !== null && !Number.isInteger(absoluteNumber)
  const isNumbered = reading.episode !== null && reading.season !== null
  return isBetween || (reading.hasSpecialWord && !isNumbered)
}
