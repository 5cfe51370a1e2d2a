import type { ListedItem } from '../../../core/catalogue/index.ts'
import { createAttachedValue } from '../../../core/platform/cache/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import { findPictures } from './find-pictures.ts'
import { mediaRowView, choosePictures, type MediaRow, type Pictures, type RowPictures } from './media.view.ts'
import { createRowTexts, type RowTexts } from './row-texts.ts'

type Services = Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>

type RowOptions = {
  /** Converts a file path to the text that the user may see. */
  showPath: FormatPath
  /** Episodes show the poster of their series even if their season has one. */
  hasSeriesPosters?: boolean
}

/** The list rows of items, and their JSON texts. */
export type MediaRows = RowTexts & {
  /**
   * Converts items to list rows with picture URLs, in the same order. An item has the same row object until something in it changes.
   */
  rowsOf: (services: Services, items: readonly ListedItem[], options: RowOptions) => Promise<MediaRow[]>
}

/** Creates a cache of rows. Items are cached until they change; their rows are released with them. */
export function createMediaRows(): MediaRows {
  const rows = createAttachedValue<ListedItem, { row: MediaRow; shown: RowPictures }>()
  const showVisiblePath = createVisiblePaths()
  return {
    ...createRowTexts(),
    async rowsOf(services, items, { showPath, hasSeriesPosters = false }) {
      const picturesOf = await findPictures(services, items)
      return items.map((item) => {
        const pictures = picturesOf(item)
        const shown = choosePictures(item, hasSeriesPosters ? withSeriesPoster(pictures) : pictures)
        const known = rows.get(item)
        if (known !== undefined && isSame(known.shown, shown)) return showVisiblePath(known.row, showPath)
        const row = mediaRowView(item, shown)
        rows.set(item, { row, shown })
        return showVisiblePath(row, showPath)
      })
    },
  }
}

/** Creates a cache of the rows for users who are not administrators, by the complete row. */
function createVisiblePaths(): (row: MediaRow, showPath: FormatPath) => MediaRow {
  const userRows = createAttachedValue<MediaRow, MediaRow>()
  return (row, showPath) => {
    if (row.path === null) return row
    const path = showPath(row.path)
    if (path === row.path) return row
    const known = userRows.get(row)
    if (known?.path === path) return known
    const shown = { ...row, path }
    userRows.set(row, shown)
    return shown
  }
}

function isSame(a: RowPictures, b: RowPictures): boolean {
  return a.poster === b.poster && a.backdrop === b.backdrop
}

/** Gives the season the poster of the series. */
function withSeriesPoster({ own, above }: Pictures): Pictures {
  const poster = above.findLast((pictures) => pictures.poster !== undefined)?.poster
  return { own, above: poster === undefined ? above : [{ ...above[0], poster }, ...above.slice(1)] }
}
