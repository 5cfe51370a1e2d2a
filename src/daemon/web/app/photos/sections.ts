import { expectedHeight, heightOf, justifiedRows, type JustifiedRow, type RowMeasures } from './justified-rows.ts'

/** Photos of a month that are asked for together. A month with more has several sections, of which the first has the heading. */
export type Section = { month: string; offset: number; count: number; firstIndex: number; hasHeading: boolean }

export type PlacedSection = Section & {
  top: number
  height: number
  /** undefined until the photos are known. */
  rows: readonly JustifiedRow[] | undefined
}

export const MAX_SECTION_PHOTOS = 500

export const HEADING_HEIGHT = 56

export function sectionsOf(months: readonly { month: string; count: number }[]): Section[] {
  let firstIndex = 0
  return months.flatMap(({ month, count: ofMonth }) => {
    const sections: Section[] = []
    for (let offset = 0; offset < ofMonth; offset += MAX_SECTION_PHOTOS) {
      const count = Math.min(MAX_SECTION_PHOTOS, ofMonth - offset)
      sections.push({ month, offset, count, firstIndex, hasHeading: offset === 0 })
      firstIndex += count
    }
    return sections
  })
}

/** @param ratiosOf the ratios of a section; undefined until its photos are known */
export function placeSections(
  sections: readonly Section[],
  measures: RowMeasures,
  ratiosOf: (section: number) => readonly (number | null)[] | undefined,
): PlacedSection[] {
  let top = 0
  return sections.map((section, index) => {
    const ratios = ratiosOf(index)
    const rows = ratios === undefined ? undefined : justifiedRows(ratios, measures)
    const photos = rows === undefined ? expectedHeight(section.count, measures) : heightOf(rows)
    const height = photos + (section.hasHeading ? HEADING_HEIGHT : 0)
    const placed = { ...section, rows, top, height }
    top += height + measures.gap
    return placed
  })
}

/** The height of everything. */
export function timelineHeight(placed: readonly PlacedSection[]): number {
  const last = placed.at(-1)
  return last === undefined ? 0 : last.top + last.height
}

/** The section that has a photo. */
export function sectionOf(sections: readonly Section[], index: number): number {
  return Math.max(
    0,
    sections.findLastIndex(({ firstIndex }) => firstIndex <= index),
  )
}

/** The section at a height. */
export function sectionAt(placed: readonly PlacedSection[], top: number): number {
  return Math.max(
    0,
    placed.findLastIndex((section) => section.top <= top),
  )
}

export type PlacedPhoto = { row: number; left: number; width: number; top: number; height: number }

/** Where a photo is in the timeline; undefined while its section is not known. */
export function placeOfPhoto({ rows, firstIndex, top, hasHeading }: PlacedSection, index: number, gap: number) {
  const at = index - firstIndex
  const row = rows?.findIndex(({ first, end }) => first <= at && at < end) ?? -1
  const found = rows?.[row]
  if (found === undefined) return undefined
  const before = found.widths.slice(0, at - found.first)
  return {
    row,
    left: before.reduce((sum, width) => sum + width + gap, 0),
    width: found.widths[at - found.first] ?? 0,
    top: top + (hasHeading ? HEADING_HEIGHT : 0) + found.top,
    height: found.height,
  } satisfies PlacedPhoto
}
