import type { MediaItemType } from '../catalogue/index.ts'
import type { UrlSigner } from '../platform/keys/index.ts'
import type { ArtworkAddress } from './artwork-address.ts'
import type { ArtworkAddressCache } from './artwork-address-cache.ts'
import type { ArtworkKind } from './artwork-kind.ts'

export type ArtworkAddresses = Partial<Record<ArtworkKind, ArtworkAddress>>

/**
 * The signed addresses of the pictures of items, albums and artists, by their ids; owners without a picture are absent. Local pictures have
 * priority over pictures of providers. At most one query for all ids; nothing is opened or fetched. The picture of music and books is a
 * `cover`, and the picture of other items a `poster`; each is returned under both names, so that a list does not need to distinguish them.
 * Addresses stay the same for an hour, so that browsers can cache the pictures of a list.
 * @param input.types of all items with a file, if the caller knows them and passes no other owners: restricts the search
 */
export async function readArtworkAddresses(
  { artworkCache, signer }: { artworkCache: ArtworkAddressCache; signer: UrlSigner },
  { itemIds, types }: { itemIds: readonly string[]; types?: ReadonlySet<MediaItemType> | undefined },
): Promise<Map<string, ArtworkAddresses>> {
  const addresses = new Map<string, ArtworkAddresses>()
  for (const [ownerId, stamps] of await artworkCache.getStamps({ ownerIds: itemIds, types })) {
    const pictures: ArtworkAddresses = {}
    for (const { kind, stamp } of stamps) pictures[kind] = artworkCache.addressOf(signer, { ownerId, kind, stamp })
    useAsPosterAndCover(pictures)
    addresses.set(ownerId, pictures)
  }
  return addresses
}

function useAsPosterAndCover(addresses: ArtworkAddresses): void {
  const shown = addresses.poster ?? addresses.cover
  if (shown === undefined) return
  addresses.poster ??= shown
  addresses.cover ??= shown
}
