import { defineErrors } from '../platform/errors/index.ts'

export const smartPlaylistErrors = defineErrors({
  smart_playlist_not_found: {
    kind: 'not_found',
    title: 'Smart playlist not found',
    doc: 'No smart playlist has this id.',
  },
  missing_name: { kind: 'invalid', title: 'name is required', doc: 'A smart playlist needs a name as text.' },
  missing_library_id: {
    kind: 'invalid',
    title: 'library_id is required',
    doc: 'A smart playlist requires the id of its library.',
  },
  missing_rules: { kind: 'invalid', title: 'rules_json is required', doc: 'A smart playlist needs rules.' },
  invalid_rules: {
    kind: 'invalid',
    title: 'Invalid rules',
    doc: 'The rules are not JSON, or a node of the tree is not allowed; `path` is its position, `message` the reason.',
  },
  too_many_smart_playlists: {
    kind: 'conflict',
    title: 'Too many smart playlists',
    doc: 'The account has 200 smart playlists, the maximum; `limit` has the number. Delete others first.',
  },
  too_many_rules: {
    kind: 'conflict',
    title: 'Too many rules',
    doc: 'The rules of all smart playlists of the owner would be more than 1 MiB of JSON in total; `limit` has the number.',
  },
  rules_too_slow: {
    kind: 'unavailable',
    title: 'Rules take too long',
    doc: 'Evaluating the rules for all items of the library exceeded the time limit of a statement; use fewer or simpler rules.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has an invalid value; `field` names it.',
  },
  not_owner: {
    kind: 'forbidden',
    title: 'Not the owner',
    doc: 'The smart playlist belongs to another user; only its owner and administrators may change it.',
  },
})
