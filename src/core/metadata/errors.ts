import { defineErrors } from '../platform/errors/index.ts'

export const metadataErrors = defineErrors({
  no_query: {
    kind: 'invalid',
    code: 'metadata.no_query',
    title: 'Nothing to search for',
    doc: 'The query is blank.',
  },
  bad_tmdb_id: {
    kind: 'invalid',
    code: 'metadata.bad_tmdb_id',
    title: 'Invalid TMDB id',
    doc: '`tmdb_id` is missing or not a positive integer.',
  },
  bad_poster: {
    kind: 'invalid',
    code: 'metadata.bad_poster',
    title: 'Not a poster of this item',
    doc: '`poster_url` is not one of the addresses in the reply of `GET …/posters` for the item.',
  },
  tmdb_unconfigured: {
    kind: 'misconfigured',
    code: 'metadata.tmdb_unconfigured',
    title: 'TMDB is not configured',
    doc: '`metadata.tmdb.api_key` is not set. Status 422.',
  },
  no_match: {
    kind: 'invalid',
    code: 'metadata.no_match',
    title: 'No match',
    doc: 'TMDB has no title with this id and type, or an item of this type cannot be matched. Status 422.',
  },
  tmdb_unreachable: {
    kind: 'unavailable',
    code: 'metadata.tmdb_unreachable',
    title: 'TMDB is not reachable',
    doc: 'TMDB does not answer, answers with errors, or refuses the key. Status 502.',
  },
  key_refused: {
    kind: 'invalid',
    code: 'metadata.key_refused',
    title: 'The provider refuses the key',
    doc: 'The provider did not accept the key to set (HTTP 401 or 403); nothing is set.',
  },
  tvdb_unreachable: {
    kind: 'unavailable',
    code: 'metadata.tvdb_unreachable',
    title: 'TVDB is not reachable',
    doc: 'TheTVDB does not answer, answers with errors, or refuses the key.',
  },
  musicbrainz_unreachable: {
    kind: 'unavailable',
    code: 'metadata.musicbrainz_unreachable',
    title: 'MusicBrainz is not reachable',
    doc: 'MusicBrainz or the Cover Art Archive does not answer, or answers with errors.',
  },
  source_failed: {
    kind: 'unavailable',
    code: 'metadata.source_failed',
    title: 'A plugin for metadata fails',
    doc: 'A plugin that was asked about an item does not answer, or its answer does not have the documented format; the item is not changed unless another source knows it.',
  },
  metadata_reply_invalid: {
    kind: 'failed',
    title: 'Reply of a metadata provider cannot be understood',
    doc: 'The reply of a metadata provider does not have the format that its API documents; the item is not changed.',
  },
})
