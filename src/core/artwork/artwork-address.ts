import { LRUCache } from 'lru-cache'
import type { UrlSigner } from '../platform/keys/index.ts'
import { formatArtworkId } from './artwork-id.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { artworkResource } from './artwork-resource.ts'
import { DEFAULT_WIDTHS, WIDTHS_OF_KIND } from './artwork-sizes.ts'

/** Addresses of a picture: the default one in list size, and the same picture in other widths (HTML, 4.8.4.2.1 `srcset`). */
export type ArtworkAddress = { url: string; srcset: string }

/** A picture of an item, an album or an artist. */
type Picture = { ownerId: string; kind: ArtworkKind; stamp: string }

/** The signed address of a picture, unchanged for a day. */
export type SignArtworkAddress = (signer: UrlSigner, picture: Picture) => ArtworkAddress

/** Enough for the pages in current use; some 10 MB of text. */
const MAX_ENTRIES = 10_000

type Cache = { expiresAt: number; addresses: LRUCache<string, ArtworkAddress> }

/**
 * Creates a cache of addresses. Hashing and signing cost more than everything else of a row, so addresses are cached for the day in which
 * they stay the same. A signer whose signatures expire sooner has addresses of its own, which are released with it.
 */
export function createSignedAddressCache(): SignArtworkAddress {
  const caches = new WeakMap<UrlSigner, Cache>()

  function cacheOf(signer: UrlSigner): Cache {
    const expiresAt = signer.dayExpiry()
    const known = caches.get(signer)
    if (known?.expiresAt === expiresAt) return known
    const cache = { expiresAt, addresses: new LRUCache<string, ArtworkAddress>({ max: MAX_ENTRIES }) }
    caches.set(signer, cache)
    return cache
  }

  return (signer, picture) => {
    const { addresses } = cacheOf(signer)
    const key = `${picture.ownerId} ${picture.kind} ${picture.stamp}`
    const known = addresses.get(key)
    if (known !== undefined) return known
    const address = makeAddress(signer, picture)
    addresses.set(key, address)
    return address
  }
}

function makeAddress(signer: UrlSigner, picture: Picture): ArtworkAddress {
  const resource = artworkResource(formatArtworkId(picture))
  const { exp, sig } = signer.signForDay(resource)
  const inWidth = (width: number): string => `${resource}?size=${width}&exp=${exp}&sig=${sig}`
  return {
    url: inWidth(DEFAULT_WIDTHS[picture.kind]),
    srcset: WIDTHS_OF_KIND[picture.kind].map((width) => `${inWidth(width)} ${width}w`).join(', '),
  }
}
