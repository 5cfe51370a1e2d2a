import type { MatchSearch, PosterCandidate } from '../../../core/metadata/index.ts'
import { matchCandidateView } from '../../../core/views/index.ts'

/** The candidates of a manual match. */
export function matchSearchView({ results, query, kind, context }: MatchSearch) {
  return {
    results: results.map(matchCandidateView),
    query,
    type: kind,
    context: {
      item_id: context.id,
      name: context.name,
      year: context.year,
      season_number: context.seasonNumber,
      episode_number: context.episodeNumber,
    },
  }
}

export function posterView({ url, width, height, votes, voteAverage }: PosterCandidate) {
  return { provider: 'tmdb', poster_url: url, width, height, votes, vote_average: voteAverage }
}
