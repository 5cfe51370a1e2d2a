import { LRUCache } from 'lru-cache'
import type { UrlSigner } from '../platform/keys/index.ts'
import { artworkIdOf } from './artwork-id.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { artworkResource } from './artwork-resource.ts'
import { DEFAULT_WIDTHS, WIDTHS_OF_KIND } from './sizes.ts'

/** Addresses of a picture: the default one in list size, and the same picture in other widths (HTML, 4.8.4.2.1 `srcset`). */
export type ArtworkAddress = { url: string; srcset: string }

/** Enough for the pages in current use; some 10 MB of text. */
const MAX_ENTRIES = 10_000

type Cache = { expiresAt: number; addresses: LRUCache<string, ArtworkAddress> }

/** One cache per signer key, released with it. */
const caches = new WeakMap<UrlSigner, Cache>()

/**
 * The signed address of a picture, unchanged for an hour. Hashing and signing cost more than everything else of a row, so addresses are
 * cached for that hour.
 */
export function addressOf(
  signer: UrlSigner,
  picture: { ownerId: string; kind: ArtworkKind; stamp: string },
): ArtworkAddress {
  const { addresses } = cacheOf(signer)
  const key = `${picture.ownerId} ${picture.kind} ${picture.stamp}`
  const known = addresses.get(key)
  if (known !== undefined) return known
  const address = makeAddress(signer, picture)
  addresses.set(key, address)
  return address
}

function cacheOf(signer: UrlSigner): Cache {
  const expiresAt = signer.cacheableExpiry()
  const known = caches.get(signer)
  if (known?.expiresAt === expiresAt) return known
  const cache = { expiresAt, addresses: new LRUCache<string, ArtworkAddress>({ max: MAX_ENTRIES }) }
  caches.set(signer, cache)
  return cache
}

function makeAddress(
  signer: UrlSigner,
  picture: { ownerId: string; kind: ArtworkKind; stamp: string },
): ArtworkAddress {
  const resource = artworkResource(artworkIdOf(picture))
  const { exp, sig } = signer.signCacheable(resource)
  const inWidth = (width: number): string => `${resource}?size=${width}&exp=${exp}&sig=${sig}`
  return {
    url: inWidth(DEFAULT_WIDTHS[picture.kind]),
    srcset: WIDTHS_OF_KIND[picture.kind].map((width) => `${inWidth(width)} ${width}w`).join(', '),
  }
}
