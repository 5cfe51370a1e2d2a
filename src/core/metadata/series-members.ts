import type { EpisodeFacts, ProviderFacts, SeasonFacts } from './provider-facts.ts'

/** A season or an episode of a series in the catalogue. */
export type SeriesMember = {
  id: string
  type: 'season' | 'episode'
  seasonNumber: number | null
  episodeNumber: number | null
  endingEpisodeNumber: number | null
  /** Date of the broadcast; only for daily shows. */
  airDate: string | null
  refreshedAt: Date | null
}

/** Seasons named after a year belong to daily shows; providers number theirs from 1. */
const FIRST_YEAR = 1900

/** The provider's season numbers that contain the episodes of one local season. */
export function providerSeasonNumbers(
  number: number,
  seasons: readonly { number: number; airDate: string | null }[],
): number[] {
  if (seasons.some((season) => season.number === number)) return [number]
  if (number < FIRST_YEAR) return []
  return seasons.filter(({ airDate }) => airDate?.startsWith(`${number}-`) === true).map((season) => season.number)
}

/** The provider's facts about one member; undefined if it does not have it. */
export function memberFacts(member: SeriesMember, seasons: readonly SeasonFacts[]): ProviderFacts | undefined {
  if (member.type === 'season') return seasons.find(({ number }) => number === member.seasonNumber)
  const episodes = seasons.flatMap((season) => season.episodes.map((episode) => ({ season: season.number, episode })))
  const { episodeNumber, airDate } = member
  if (episodeNumber === null) {
    return airDate === null ? undefined : episodes.find(({ episode }) => episode.airDate === airDate)?.episode
  }
  const last = member.endingEpisodeNumber ?? episodeNumber
  const own = episodes.filter(
    ({ season, episode: { number } }) => season === member.seasonNumber && number >= episodeNumber && number <= last,
  )
  return joined(own.map(({ episode }) => episode))
}

/** A file with several episodes gets the titles and overviews of all, and the other fields of the first. */
function joined(episodes: readonly EpisodeFacts[]): ProviderFacts | undefined {
  const [first, ...others] = episodes.toSorted((one, other) => one.number - other.number)
  if (first === undefined || others.length === 0) return first
  const all = [first, ...others]
  const overviews = all.flatMap(({ metadata: { overview } }) => (typeof overview === 'string' ? [overview] : []))
  return {
    ...first,
    name: all.flatMap(({ name }) => name ?? []).join(' / ') || null,
    metadata: { ...first.metadata, ...(overviews.length > 0 && { overview: overviews.join('\n\n') }) },
  }
}
