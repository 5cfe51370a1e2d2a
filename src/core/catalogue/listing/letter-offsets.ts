import type { Page } from '../item/page.ts'
import type { NameBoundary } from '../queries/pages.ts'
import type { FacetCount } from '../queries/counts.ts'

/** The labels of names before A, and after Z. */
const FIRST = '#'
const LAST = '…'

/** A letter, the number of items before it in the order of names, and the number of items under it. */
export type LetterOffset = { letter: string; offset: number; count: number }

/** Letters in the order of names, with their offsets and counts. */
export function countLetterOffsets(counts: readonly FacetCount[]): LetterOffset[] {
  let offset = 0
  return counts
    .toSorted((a, b) => rankOf(a.label) - rankOf(b.label))
    .map(({ label, count }) => {
      offset += count
      return { letter: label, offset: offset - count, count }
    })
}

function rankOf(letter: string): number {
  return letter === FIRST ? 0 : letter === LAST ? 27 : letter.charCodeAt(0) - 64
}

/**
 * Finds where a page far down begins: the letter, and the offset from it. Skipping a hundred thousand names costs more than reading the
 * counts per letter.
 */
export function locatePageByLetter(
  counts: readonly FacetCount[],
  { offset, order }: Pick<Page, 'offset'> & { order: 'asc' | 'desc' },
): { offset: number; after?: NameBoundary } {
  const places = countLetterOffsets(counts)
  let skipped = 0
  for (const { letter, count } of order === 'asc' ? places : places.toReversed()) {
    if (offset < skipped + count) return begin({ letter, order }, offset - skipped) ?? { offset }
    skipped += count
  }
  return { offset }
}

/** The first name of `letter` in this order; undefined for the group that the order begins with. */
function begin(
  { letter, order }: { letter: string; order: 'asc' | 'desc' },
  offset: number,
): { offset: number; after: NameBoundary } | undefined {
  const edge = order === 'asc' ? boundaryBefore(letter) : boundaryAfter(letter)
  return edge === undefined ? undefined : { offset, after: { name: edge, order } }
}

/** `{` comes after `z` in byte order. */
function boundaryBefore(letter: string): string | undefined {
  if (letter === FIRST) return undefined
  return letter === LAST ? '{' : letter.toLowerCase()
}

function boundaryAfter(letter: string): string | undefined {
  if (letter === LAST) return undefined
  return letter === FIRST ? 'a' : String.fromCharCode(letter.toLowerCase().charCodeAt(0) + 1)
}
