import type { AppliedMatch, MatchSearch, PosterCandidate } from '../../../core/metadata/index.ts'

/** The candidates of a manual match. */
export function matchSearchView({ results, query, kind, context }: MatchSearch) {
  return {
    results: results.map((candidate) => ({
      tmdb_id: Number(candidate.id),
      type: candidate.kind,
      title: candidate.title,
      original_title: candidate.originalTitle,
      year: candidate.year,
      overview: candidate.overview,
      poster_url: candidate.posterUrl,
      backdrop_url: candidate.backdropUrl,
      vote_average: candidate.voteAverage,
    })),
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

/** The result of a match. */
export function appliedView({ itemId, kind, tmdbId, childrenEnriched }: AppliedMatch) {
  return {
    item_id: itemId,
    mode: kind === 'tv' ? 'series' : 'movie',
    tmdb_id: tmdbId,
    matched: true,
    children_enriched: childrenEnriched,
  }
}

export function posterView({ url, width, height, votes, voteAverage }: PosterCandidate) {
  return { provider: 'tmdb', poster_url: url, width, height, votes, vote_average: voteAverage }
}
