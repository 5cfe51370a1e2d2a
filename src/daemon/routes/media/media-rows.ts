import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import {
  findAncestors,
  findItems,
  listItemFiles,
  type ListedItem,
  type MediaItemDetail,
} from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { readUserData } from '../../../core/user-items/index.ts'
import type { Account } from '../../../core/accounts/index.ts'
import { pathsShownTo, type ShowPath } from '../../http/shown-paths.ts'
import { mediaDetailView, mediaRowView, rowPicturesOf, type Pictures, type RowPictures } from './media.view.ts'

type Dependencies = Pick<SigningServices, 'db' | 'signer' | 'clock'>

export type MediaRow = Readonly<ReturnType<typeof mediaRowView>>

/** What was shown of an item last. Items are remembered until they change, and rows go with them. */
const remembered = new WeakMap<ListedItem, { row: MediaRow; shown: RowPictures }>()

/**
 * Items as rows of a list, with the addresses of their pictures; in the same order. The row of an item is the same object as long as
 * nothing in it changes.
 * @param options.showPath how the reader is shown where files are
 * @param options.hasSeriesPosters episodes show the poster of their series even where their season has one
 */
export async function mediaRows(
  services: Dependencies,
  items: readonly ListedItem[],
  { showPath, hasSeriesPosters = false }: { showPath: ShowPath; hasSeriesPosters?: boolean },
): Promise<MediaRow[]> {
  const picturesOf = await findPictures(services, items)
  return items.map((item) => {
    const pictures = picturesOf(item)
    const shown = rowPicturesOf(item, hasSeriesPosters ? withSeriesPoster(pictures) : pictures)
    const known = remembered.get(item)
    if (known !== undefined && isSame(known.shown, shown)) return withShownPath(known.row, showPath)
    const row = mediaRowView(item, shown)
    remembered.set(item, { row, shown })
    return withShownPath(row, showPath)
  })
}

/** Rows as those see them who are no administrators. */
const rowsOfUsers = new WeakMap<MediaRow, MediaRow>()

function withShownPath(row: MediaRow, showPath: ShowPath): MediaRow {
  if (row.path === null) return row
  const path = showPath(row.path)
  if (path === row.path) return row
  const known = rowsOfUsers.get(row)
  if (known?.path === path) return known
  const shown = { ...row, path }
  rowsOfUsers.set(row, shown)
  return shown
}

function isSame(a: RowPictures, b: RowPictures): boolean {
  return a.poster === b.poster && a.backdrop === b.backdrop
}

/** The poster of what stands highest stands with what is nearest, too. */
function withSeriesPoster({ own, above }: Pictures): Pictures {
  const poster = above.findLast((pictures) => pictures.poster !== undefined)?.poster
  return { own, above: poster === undefined ? above : [{ ...above[0], poster }, ...above.slice(1)] }
}

/** An item as its detail, as this reader may see it. */
export async function mediaDetail(
  services: Dependencies,
  { item, reader }: { item: MediaItemDetail; reader: Account },
) {
  const pictures = await findPictures(services, [item])
  const userData = await readUserData(services, { accountId: reader.id, itemId: item.id })
  const showPath = await pathsShownTo(services, reader)
  const files = reader.isAdmin ? await listItemFiles(services, item.id) : null
  const series = await findSeries(services, item)
  return mediaDetailView({ item, series, pictures: pictures(item), userData, files, showPath }, services.signer)
}

/** The series that an episode or a season belongs to. */
async function findSeries(services: Dependencies, item: ListedItem): Promise<ListedItem | undefined> {
  if (item.parentId === null || (item.type !== 'episode' && item.type !== 'season')) return undefined
  const above = (await findAncestors(services, [item])).get(item.id) ?? []
  const found = await findItems(services, above.slice(-1))
  return found.find(({ type }) => type === 'series')
}

/** Two statements for all: what the items belong to, and the pictures of both. */
async function findPictures(
  services: Dependencies,
  items: readonly ListedItem[],
): Promise<(item: ListedItem) => Pictures> {
  if (items.length === 0) return () => ({ own: {}, above: [] })
  const ancestors = await findAncestors(services, items)
  const itemIds = [...new Set([...items.map(({ id }) => id), ...[...ancestors.values()].flat()])]
  // What items belong to, series and seasons, has no file that a picture could be in.
  const types = new Set(items.map(({ type }) => type))
  const addresses = await readArtworkAddresses(services, { itemIds, types })
  return ({ id }) => ({
    own: addresses.get(id) ?? {},
    above: (ancestors.get(id) ?? []).map((above) => addresses.get(above) ?? {}),
  })
}
