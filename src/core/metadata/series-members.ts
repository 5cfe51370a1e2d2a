import type { EpisodeFacts, Facts, SeasonFacts } from './facts.ts'

/** A season or an episode of a series in the catalogue. */
export type SeriesMember = {
  id: string
  type: 'season' | 'episode'
  seasonNumber: number | null
  episodeNumber: number | null
  endingEpisodeNumber: number | null
  /** Of shows that are told apart by their days. */
  airDate: string | null
  refreshedAt: Date | null
}

/** Seasons that are called after a year belong to shows that count by days; providers number theirs from 1. */
const FIRST_YEAR = 1900

/** Numbers, at the provider, of the seasons that hold the episodes of one season here. */
export function providerSeasons(
  number: number,
  seasons: readonly { number: number; airDate: string | null }[],
): number[] {
  if (seasons.some((season) => season.number === number)) return [number]
  if (number < FIRST_YEAR) return []
  return seasons.filter(({ airDate }) => airDate?.startsWith(`${number}-`) === true).map((season) => season.number)
}

/** What the provider says of one member; undefined when it does not have it. */
export function factsOfMember(member: SeriesMember, seasons: readonly SeasonFacts[]): Facts | undefined {
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

/** One file of several episodes carries the titles and overviews of all; for the rest the first one stands. */
function joined(episodes: readonly EpisodeFacts[]): Facts | undefined {
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
