import { defineErrors } from '../platform/errors/index.ts'

export const requestErrors = defineErrors({
  request_not_found: {
    kind: 'not_found',
    title: 'Request not found',
    doc: 'No media request has this id.',
  },
  not_request_owner: {
    kind: 'forbidden',
    title: 'Not the owner of the request',
    doc: 'The media request belongs to another user.',
  },
  request_not_pending: {
    kind: 'conflict',
    title: 'Request is not pending',
    doc: 'The media request is already decided; only pending requests can be changed or deleted.',
  },
  request_busy: {
    kind: 'busy',
    title: 'Request is being decided',
    doc: 'Another administrator is deciding this media request, for more than two and a half minutes.',
  },
  approve_failed: {
    kind: 'unavailable',
    title: 'Approve failed',
    doc: 'Radarr or Sonarr is not configured, is not reachable, refused the title or did not answer in time; the request stays pending. Status 500.',
  },
  deny_failed: {
    kind: 'failed',
    title: 'Deny failed',
    doc: 'The decision could not be written to the database; the request stays pending.',
  },
  webhook_refused: {
    kind: 'unauthenticated',
    title: 'Unauthorized',
    doc: 'A webhook of Radarr or Sonarr does not have `acquisition.webhook_secret`, or this option is not set.',
  },
  invalid_type: {
    kind: 'invalid',
    title: 'type must be movie or series',
    doc: 'A media request is for a movie or a series.',
  },
  invalid_catalog_id: {
    kind: 'invalid',
    title: 'catalog_id must be a positive integer',
    doc: 'A media request names its title by a catalogue id (`catalog_id`, or `tmdb_id`).',
  },
  missing_title: { kind: 'invalid', title: 'title is required', doc: 'A media request needs the title as text.' },
  missing_season: {
    kind: 'invalid',
    title: 'season is required for type series',
    doc: 'A request for a series must name a season, unless `requests.allow_whole_series` is on.',
  },
  missing_episode: {
    kind: 'invalid',
    title: 'episode is required for type series',
    doc: 'A request for a series must name an episode, unless `requests.allow_whole_series` is on.',
  },
  too_many_requests_pending: {
    kind: 'conflict',
    title: 'Too many pending requests',
    doc: 'The account has 100 media requests without a decision, the maximum; `limit` has the number.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body or the query is missing or has an invalid value; `field` names it.',
  },
})
