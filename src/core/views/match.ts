import type { AppliedMatch, MatchSearch } from '../metadata/index.ts'

/** A title of a provider that an item may be. */
export function matchCandidateView(candidate: MatchSearch['results'][number]) {
  return {
    tmdb_id: Number(candidate.id),
    type: candidate.kind,
    title: candidate.title,
    original_title: candidate.originalTitle,
    year: candidate.year,
    overview: candidate.overview,
    poster_url: candidate.posterUrl,
    backdrop_url: candidate.backdropUrl,
    vote_average: candidate.voteAverage,
  }
}

/** The result of a match. */
export function appliedMatchView({ itemId, kind, tmdbId, childrenEnriched }: AppliedMatch) {
  return {
    item_id: itemId,
    mode: kind === 'tv' ? 'series' : 'movie',
    tmdb_id: tmdbId,
    matched: true,
    children_enriched: childrenEnriched,
  }
}
