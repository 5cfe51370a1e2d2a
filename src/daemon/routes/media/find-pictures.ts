import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { findAncestors, type ListedItem } from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { Pictures } from './media.view.ts'

/** Returns the pictures of these items and of their ancestors. At most two queries for all items: the ancestors, and the pictures. */
export async function findPictures(
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  items: readonly ListedItem[],
): Promise<(item: ListedItem) => Pictures> {
  if (items.length === 0) return () => ({ own: {}, above: [] })
  const ancestors = await findAncestors(services, items)
  const itemIds = [...new Set([...items.map(({ id }) => id), ...[...ancestors.values()].flat()])]
  // Ancestors are series and seasons. They have no file with an embedded picture.
  const types = new Set(items.map(({ type }) => type))
  const addresses = await readArtworkAddresses(services, { itemIds, types })
  return ({ id }) => ({
    own: addresses.get(id) ?? {},
    above: (ancestors.get(id) ?? []).map((above) => addresses.get(above) ?? {}),
  })
}
