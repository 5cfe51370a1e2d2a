import { createAddressCache, type AddressOf } from './artwork-address.ts'
import { createStampCache, type GetStamps } from './stamp-cache.ts'

/** What lists remember of pictures: which ones exist, and their signed addresses. */
export type ArtworkCache = { getStamps: GetStamps; addressOf: AddressOf }

/** Creates the cache of a database. */
export function createArtworkCache(services: Parameters<typeof createStampCache>[0]): ArtworkCache {
  return { getStamps: createStampCache(services), addressOf: createAddressCache() }
}
