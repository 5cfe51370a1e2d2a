import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { MediaRequest } from '../../core/requests/index.ts'

/** A media request as JSON, with the keys of the HTTP API. */
export function wireRequest(request: MediaRequest): Record<string, unknown> {
  return {
    id: request.id,
    user_id: request.userId,
    type: request.type,
    catalog_id: request.catalogId,
    tmdb_id: request.catalogId,
    title: request.title,
    poster_url: request.posterUrl,
    season: request.seasonNumber,
    episode: request.episodeNumber,
    status: request.status,
    rejection_reason: request.rejectionReason,
    created_at: toIsoTimestamp(request.createdAt),
    updated_at: toIsoTimestamp(request.updatedAt),
  }
}

/** The title with season and episode: `Dark S01E03`. */
export function describeTitle({ title, seasonNumber, episodeNumber }: MediaRequest): string {
  if (seasonNumber === null) return title
  const episode = episodeNumber === null ? '' : `E${String(episodeNumber).padStart(2, '0')}`
  return `${title} S${String(seasonNumber).padStart(2, '0')}${episode}`
}
