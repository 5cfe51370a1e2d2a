import type { Connection } from '../platform/database/index.ts'
import type { UrlSigner } from '../platform/keys/index.ts'
import { artworkIdOf } from './artwork-id.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { artworkResource } from './artwork-resource.ts'
import { selectSources } from './queries/sources.ts'
import { DEFAULT_WIDTHS, WIDTHS_OF_KIND } from './sizes.ts'

/** Where a picture is: its address in the size of a list, and the same in other widths (HTML, 4.8.4.2.1 `srcset`). */
export type ArtworkAddress = { url: string; srcset: string }

export type ArtworkAddresses = Partial<Record<ArtworkKind, ArtworkAddress>>

/**
 * The signed addresses of the pictures of items, albums and artists, by their ids; who has none is not in the map. Local pictures come
 * before those of providers. One query for all ids; nothing is opened or fetched. Music and books, whose picture is a `cover`, have the
 * same under `poster`, and the other way round, so that a list need not know what it shows. Addresses stay the same for an hour, so that
 * browsers need not fetch every picture anew with every list.
 */
export async function readArtworkAddresses(
  { db, signer }: { db: Connection; signer: UrlSigner },
  { itemIds }: { itemIds: readonly string[] },
): Promise<Map<string, ArtworkAddresses>> {
  const addresses = new Map<string, ArtworkAddresses>()
  for (const { ownerId, kind, stamp } of await selectSources(db, itemIds)) {
    const resource = artworkResource(artworkIdOf({ ownerId, kind, stamp }))
    const { exp, sig } = signer.signSteadily(resource)
    const inWidth = (width: number): string => `${resource}?size=${width}&exp=${exp}&sig=${sig}`
    const found = addresses.get(ownerId) ?? {}
    found[kind] = {
      url: inWidth(DEFAULT_WIDTHS[kind]),
      srcset: WIDTHS_OF_KIND[kind].map((width) => `${inWidth(width)} ${width}w`).join(', '),
    }
    addresses.set(ownerId, found)
  }
  for (const found of addresses.values()) sharePoster(found)
  return addresses
}

function sharePoster(found: ArtworkAddresses): void {
  const shown = found.poster ?? found.cover
  if (shown === undefined) return
  found.poster ??= shown
  found.cover ??= shown
}
