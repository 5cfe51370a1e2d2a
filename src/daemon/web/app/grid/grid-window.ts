/**
 * Which cards of a list are in the document. Rows have one height, so nothing is measured while scrolling. Browsers cap the height of a page
 * (Chromium at 11 to 33 million pixels, by the resolution of the screen), so longer lists have a shorter scroll space.
 */

export type GridLayout = { columns: number; cardWidth: number; rowHeight: number; rows: number; height: number }

export type GridWindow = { firstIndex: number; endIndex: number; top: number }

/** Far below the caps of all browsers. */
export const MAX_HEIGHT = 8_000_000

/** Rows before and after the visible ones, so that scrolling finds them drawn. */
const SPARE_ROWS = 2

export type Measures = {
  width: number
  minCardWidth: number
  gap: number
  textHeight: number
  /** Whether pictures are square; posters are 2:3. */
  isSquare?: boolean
}

/** @param count the number of cards */
export function layOut(
  count: number,
  { width, minCardWidth, gap, textHeight, isSquare = false }: Measures,
): GridLayout {
  const columns = Math.max(2, Math.floor((width + gap) / (minCardWidth + gap)))
  const cardWidth = Math.max(1, (width - gap * (columns - 1)) / columns)
  const rowHeight = Math.round(cardWidth * (isSquare ? 1 : 1.5)) + textHeight + gap
  const rows = Math.ceil(count / columns)
  return { columns, cardWidth, rowHeight, rows, height: rows * rowHeight }
}

/** The height that the page gets. */
export const scrollHeightOf = ({ height }: GridLayout): number => Math.min(height, MAX_HEIGHT)

/**
 * Where the list is after a scroll. Small steps move it by as many pixels; a jump of the scroll bar to the same share of the list.
 * @param before the place in the list and in the page before
 * @param scrollTop the place in the page now
 * @param viewHeight the height of the window
 */
export function listTopAfter(
  layout: GridLayout,
  before: { listTop: number; scrollTop: number },
  { scrollTop, viewHeight }: { scrollTop: number; viewHeight: number },
): number {
  const space = scrollHeightOf(layout)
  if (space === layout.height) return scrollTop
  const lastListTop = Math.max(0, layout.height - viewHeight)
  const lastScrollTop = Math.max(1, space - viewHeight)
  if (scrollTop <= 0 || scrollTop >= lastScrollTop) return scrollTop <= 0 ? 0 : lastListTop
  const step = scrollTop - before.scrollTop
  const isSmall = Math.abs(step) <= viewHeight
  const listTop = isSmall ? before.listTop + step : (scrollTop / lastScrollTop) * lastListTop
  return Math.min(Math.max(listTop, 0), lastListTop)
}

/** The place in the page for a place in the list. */
export function scrollTopFor(layout: GridLayout, listTop: number, viewHeight: number): number {
  const space = scrollHeightOf(layout)
  if (space === layout.height) return listTop
  const lastListTop = Math.max(1, layout.height - viewHeight)
  return (listTop / lastListTop) * Math.max(0, space - viewHeight)
}

/**
 * The cards to draw, and where their block begins in the list.
 * @param count the number of cards
 */
export function windowAt(layout: GridLayout, count: number, view: { listTop: number; viewHeight: number }): GridWindow {
  const { columns, rowHeight, rows } = layout
  const first = Math.max(0, Math.floor(view.listTop / rowHeight) - SPARE_ROWS)
  const end = Math.min(rows, Math.ceil((view.listTop + view.viewHeight) / rowHeight) + SPARE_ROWS)
  const firstRow = Math.min(first, Math.max(0, rows - 1))
  return {
    firstIndex: firstRow * columns,
    endIndex: Math.min(count, Math.max(end, firstRow) * columns),
    top: firstRow * rowHeight,
  }
}

/** The card that a key leads to; undefined for keys that the grid does not use, and at its edges. */
export function indexAfterKey(
  key: string,
  index: number,
  { columns, count, rowsInView }: { columns: number; count: number; rowsInView: number },
): number | undefined {
  const page = columns * Math.max(1, rowsInView)
  const steps: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    PageUp: Math.max(index - page, index % columns),
    PageDown: Math.min(index + page, count - 1),
    Home: 0,
    End: count - 1,
  }
  const target = steps[key]
  return target === undefined || target < 0 || target >= count ? undefined : target
}
