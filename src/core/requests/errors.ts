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
    doc: 'The media request was made by somebody else.',
  },
  request_not_pending: {
    kind: 'conflict',
    title: 'Request is not pending',
    doc: 'The media request was decided already; only pending ones may be changed or deleted.',
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
    doc: 'A request for a series names a season, unless `requests.allow_whole_series` is on.',
  },
  missing_episode: {
    kind: 'invalid',
    title: 'episode is required for type series',
    doc: 'A request for a series names an episode, unless `requests.allow_whole_series` is on.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body or the query is missing or of the wrong form; `field` names it.',
  },
})
