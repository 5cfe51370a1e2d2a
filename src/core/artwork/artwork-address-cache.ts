import { createSignedAddressCache, type SignArtworkAddress } from './artwork-address.ts'
import { createStampCache, type GetArtworkStamps } from './stamp-cache.ts'

/** The caches of lists of items: which pictures exist, and the signed addresses of pictures. */
export type ArtworkAddressCache = { getStamps: GetArtworkStamps; addressOf: SignArtworkAddress }

/** Creates the cache of a database. */
export function createArtworkAddressCache(services: Parameters<typeof createStampCache>[0]): ArtworkAddressCache {
  return { getStamps: createStampCache(services), addressOf: createSignedAddressCache() }
}
