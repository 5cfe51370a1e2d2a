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
    doc: 'A smart playlist chooses from the items of a library.',
  },
  missing_rules: { kind: 'invalid', title: 'rules_json is required', doc: 'A smart playlist needs rules.' },
  invalid_rules: {
    kind: 'invalid',
    title: 'Invalid rules',
    doc: 'The rules are no JSON, or a node of the tree is not allowed; `path` says which one, `message` why.',
  },
  too_many_smart_playlists: {
    kind: 'conflict',
    title: 'Too many smart playlists',
    doc: 'The account has 200 smart playlists, which is the most; `limit` says so. Others have to be deleted first.',
  },
  too_many_rules: {
    kind: 'conflict',
    title: 'Too many rules',
    doc: 'The rules of all smart playlists of their maker would be more than 1 MiB of JSON together; `limit` says so.',
  },
  rules_too_slow: {
    kind: 'unavailable',
    title: 'Rules take too long',
    doc: 'The rules could not be asked of all items of the library in the time that one statement has; fewer or plainer ones can.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has a form that is not allowed; `field` names it.',
  },
  not_owner: {
    kind: 'forbidden',
    title: 'Not the owner',
    doc: 'The smart playlist was made by somebody else; its maker and administrators may change it.',
  },
})
