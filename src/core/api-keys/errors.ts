import { defineErrors } from '../platform/errors/index.ts'

export const apiKeyErrors = defineErrors({
  api_key_not_found: { kind: 'not_found', title: 'API key not found', doc: 'The account has no API key with this id.' },
  too_many_api_keys: {
    kind: 'conflict',
    title: 'Too many API keys',
    doc: 'An account has at most 50 API keys, expired ones included.',
  },
  scope_not_permitted: {
    kind: 'forbidden',
    title: 'Only administrators may give this scope',
    doc: 'The scopes `libraries` and `admin` are for keys of administrators.',
  },
})
