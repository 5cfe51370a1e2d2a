import type { SignedInAccount } from '../../../core/accounts/index.ts'
import {
  findAncestors,
  findItems,
  listItemFiles,
  type ListedItem,
  type MediaItemDetail,
} from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { readUserData } from '../../../core/user-items/index.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { findPictures } from './find-pictures.ts'
import { mediaDetailView } from './media.view.ts'

/** The detail of an item, for this user. */
export async function mediaDetail(
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer' | 'clock'>,
  { item, reader }: { item: MediaItemDetail; reader: SignedInAccount },
) {
  const pictures = await findPictures(services, [item])
  const userData = await readUserData(services, { profileId: reader.profile.id, itemId: item.id })
  const showPath = await createPathFormatter(services, reader)
  const files = reader.isAdmin ? await listItemFiles(services, item.id) : null
  const series = await findSeries(services, item)
  return mediaDetailView({ item, series, pictures: pictures(item), userData, files, showPath }, services.signer)
}

/** The series of an episode or a season. */
async function findSeries(services: Pick<SigningServices, 'db'>, item: ListedItem): Promise<ListedItem | undefined> {
  if (item.parentId === null || (item.type !== 'episode' && item.type !== 'season')) return undefined
  const above = (await findAncestors(services, [item])).get(item.id) ?? []
  const parents = await findItems(services, above.slice(-1))
  return parents.find(({ type }) => type === 'series')
}
