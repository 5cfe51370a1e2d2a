import { toIsoTimestamp } from '../platform/time/index.ts'
import type { MediaRequest } from '../requests/index.ts'

/** A media request, with the catalogue id under both of its keys. */
export function requestView(request: MediaRequest) {
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
