import { placeOfPhoto, sectionOf, type PlacedSection } from './sections.ts'

type Timeline = { placed: readonly PlacedSection[]; total: number; gap: number; rowsInView: number }

/** The photo that a key leads to; undefined for keys that the timeline does not use, and at its ends. */
export function photoAfterKey(key: string, index: number, timeline: Timeline): number | undefined {
  const { total, rowsInView } = timeline
  const targets: Readonly<Record<string, () => number | undefined>> = {
    ArrowLeft: () => index - 1,
    ArrowRight: () => index + 1,
    ArrowUp: () => photoInRow(index, -1, timeline),
    ArrowDown: () => photoInRow(index, 1, timeline),
    PageUp: () => afterRows(index, -rowsInView, timeline),
    PageDown: () => afterRows(index, rowsInView, timeline),
    Home: () => 0,
    End: () => total - 1,
  }
  const target = Object.hasOwn(targets, key) ? targets[key]?.() : undefined
  return target === undefined || target < 0 || target >= total ? undefined : target
}

function afterRows(index: number, rows: number, timeline: Timeline): number {
  let at = index
  for (let step = 0; step < Math.abs(rows); step += 1) at = photoInRow(at, Math.sign(rows), timeline) ?? at
  return at
}

/** The nearest photo of the row above or below. In a section that is not known, its first or last one. */
function photoInRow(index: number, step: number, { placed, gap }: Timeline): number | undefined {
  const number = sectionOf(placed, index)
  const section = placed[number]
  const from = section === undefined ? undefined : placeOfPhoto(section, index, gap)
  if (section === undefined || from === undefined) return undefined
  const isInside = section.rows?.[from.row + step] !== undefined
  const target = isInside ? section : placed[number + step]
  if (target === undefined) return undefined
  const row = isInside ? target.rows?.[from.row + step] : target.rows?.at(step > 0 ? 0 : -1)
  if (row === undefined) return target.firstIndex + (step > 0 ? 0 : target.count - 1)
  return target.firstIndex + nearest(row, from.left + from.width / 2, gap)
}

function nearest({ first, widths }: { first: number; widths: readonly number[] }, centre: number, gap: number): number {
  let left = 0
  for (const [index, width] of widths.entries()) {
    left += width + gap
    if (centre < left) return first + index
  }
  return first + widths.length - 1
}
