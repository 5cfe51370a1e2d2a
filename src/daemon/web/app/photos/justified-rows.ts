/** A row of photos of one height that fills the width. */
export type JustifiedRow = { first: number; end: number; top: number; height: number; widths: readonly number[] }

export type RowMeasures = { width: number; rowHeight: number; gap: number }

/** Panoramas and strips are cropped to these ratios. */
const [MIN_RATIO, MAX_RATIO] = [0.4, 3.5]

/** Of photos whose size is unknown, and of photos that are not known yet. */
const USUAL_RATIO = 1.4

export const shownRatio = (ratio: number | null): number =>
  Math.min(Math.max(ratio ?? USUAL_RATIO, MIN_RATIO), MAX_RATIO)

/** The rows of photos with these ratios of width and height. Rows are at most as high as wanted; the last one may be shorter than the width. */
export function justifiedRows(
  ratios: readonly (number | null)[],
  { width, rowHeight, gap }: RowMeasures,
): JustifiedRow[] {
  const rows: JustifiedRow[] = []
  let top = 0
  let first = 0
  let sum = 0
  const close = (end: number, height: number): void => {
    const widths = ratios.slice(first, end).map((ratio) => shownRatio(ratio) * height)
    rows.push({ first, end, top, height, widths })
    top += height + gap
    first = end
    sum = 0
  }
  for (const [index, ratio] of ratios.entries()) {
    sum += shownRatio(ratio)
    const space = width - gap * (index - first)
    if (sum * rowHeight >= space) close(index + 1, Math.max(1, space / sum))
  }
  if (first < ratios.length) close(ratios.length, rowHeight)
  return rows
}

/** The height of rows, without the gap after the last one. */
export function heightOf(rows: readonly JustifiedRow[]): number {
  const last = rows.at(-1)
  return last === undefined ? 0 : last.top + last.height
}

/** About the height of photos that are not known yet. */
export function expectedHeight(count: number, { width, rowHeight, gap }: RowMeasures): number {
  const perRow = Math.max(1, Math.round((width + gap) / (USUAL_RATIO * rowHeight + gap)))
  return Math.ceil(count / perRow) * (rowHeight + gap) - gap
}
