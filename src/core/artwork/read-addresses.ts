import type { MediaItemType } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { UrlSigner } from '../platform/keys/index.ts'
import { addressOf, type ArtworkAddress } from './artwork-address.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { getStamps } from './stamp-cache.ts'

export type ArtworkAddresses = Partial<Record<ArtworkKind, ArtworkAddress>>

/**
 * The signed addresses of the pictures of items, albums and artists, by their ids; who has none is not in the map. Local pictures come
 * before those of providers. One query for all ids at most; nothing is opened or fetched. Music and books, whose picture is a `cover`,
 * have the same under `poster`, and the other way round, so that a list need not know what it shows. Addresses stay the same for an hour, so that
 * browsers need not fetch every picture anew with every list.
 * @param input.types of all the items with a file, when they are known and nothing else is asked about: spares looking elsewhere
 */
export async function readArtworkAddresses(
  { db, signer }: { db: Database; signer: UrlSigner },
  { itemIds, types }: { itemIds: readonly string[]; types?: ReadonlySet<MediaItemType> | undefined },
): Promise<Map<string, ArtworkAddresses>> {
  const addresses = new Map<string, ArtworkAddresses>()
  for (const [ownerId, stamps] of await getStamps({ db }, { ownerIds: itemIds, types })) {
    const found: ArtworkAddresses = {}
    for (const { kind, stamp } of stamps) found[kind] = addressOf(signer, { ownerId, kind, stamp })
    sharePoster(found)
    addresses.set(ownerId, found)
  }
  return addresses
}

function sharePoster(found: ArtworkAddresses): void {
  const shown = found.poster ?? found.cover
  if (shown === undefined) return
  found.poster ??= shown
  found.cover ??= shown
}
