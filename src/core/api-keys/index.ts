export { API_KEY_SCOPES, type ApiKey, type ApiKeyScope } from './api-key.ts'
export { createKeyAccounts, type KeyAccounts } from './find-key-account.ts'
export { selectKeyHolders as findKeyHolders } from './queries.ts'
export { createApiKey, listApiKeys, revokeApiKey } from './manage-keys.ts'
