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
import { createAttachedValue } from '../../../core/platform/cache/index.ts'
import { pathsShownTo, type ShowPath } from '../../http/shown-paths.ts'
import { mediaDetailView, mediaRowView, rowPicturesOf, type Pictures, type RowPictures } from './media.view.ts'

type Dependencies = Pick<SigningServices, 'db' | 'signer' | 'clock'>

export type MediaRow = Readonly<ReturnType<typeof mediaRowView>>

/** The last row of each item. Items are cached until they change; the entries are collected with them. */
const rowCache = createAttachedValue<ListedItem, { row: MediaRow; shown: RowPictures }>()

/**
 * Converts items to list rows with picture URLs, in the same order. An item has the same row object until something in it changes.
 * @param options.showPath converts file paths to the form that the user may see
 * @param options.hasSeriesPosters episodes show the poster of their series even if their season has one
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
    const known = rowCache.get(item)
    if (known !== undefined && isSame(known.shown, shown)) return withVisiblePath(known.row, showPath)
    const row = mediaRowView(item, shown)
    rowCache.set(item, { row, shown })
    return withVisiblePath(row, showPath)
  })
}

/** Rows for users who are not administrators. */
const userRowCache = createAttachedValue<MediaRow, MediaRow>()

function withVisiblePath(row: MediaRow, showPath: ShowPath): MediaRow {
  if (row.path === null) return row
  const path = showPath(row.path)
  if (path === row.path) return row
  const known = userRowCache.get(row)
  if (known?.path === path) return known
  const shown = { ...row, path }
  userRowCache.set(row, shown)
  return shown
}

function isSame(a: RowPictures, b: RowPictures): boolean {
  return a.poster === b.poster && a.backdrop === b.backdrop
}

/** Gives the season the poster of the series. */
function withSeriesPoster({ own, above }: Pictures): Pictures {
  const poster = above.findLast((pictures) => pictures.poster !== undefined)?.poster
  return { own, above: poster === undefined ? above : [{ ...above[0], poster }, ...above.slice(1)] }
}

/** The detail of an item, for this user. */
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

/** The series of an episode or a season. */
async function findSeries(services: Dependencies, item: ListedItem): Promise<ListedItem | undefined> {
  if (item.parentId === null || (item.type !== 'episode' && item.type !== 'season')) return undefined
  const above = (await findAncestors(services, [item])).get(item.id) ?? []
  const found = await findItems(services, above.slice(-1))
  return found.find(({ type }) => type === 'series')
}

/** Two queries for all items: the ancestors, and the pictures of items and ancestors. */
async function findPictures(
  services: Dependencies,
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
