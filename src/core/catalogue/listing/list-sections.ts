import type { CatalogueCache, CurrentCatalogue } from '../cache/catalogue-cache.ts'
import { RATING_NAMES } from '../filter/facet-filter.ts'
import { checkConditions, type CheckedConditions, type ItemConditions } from '../filter/item-filter.ts'
import { countLetterOffsets, type LetterOffset } from './letter-offsets.ts'
import { selectSectionCounts, type ListSectionField } from '../queries/list-sections.ts'
import type { FacetCount } from '../queries/counts.ts'
import { countFacets, sumCounts, findItemCounts } from './facet-counts.ts'

/** A section of a list: the number of items before it, in the requested order, and the number of items in it. */
export type ListSection = { key: string; label: string; offset: number; count: number }

export type ListIndex = { field: ListSectionField; buckets: ListSection[]; total: number }

/**
 * The initial letters of the names of a list, in the order of names: `#` for names before A, `…` for names after Z.
 * @throws AppError `invalid_request`
 */
export async function computeLetterSections(
  { catalogueCache }: { catalogueCache: CatalogueCache },
  filter: ItemConditions,
): Promise<{ letters: LetterOffset[]; total: number }> {
  const letters = countLetterOffsets(await countGroups(await catalogueCache.open(), checkConditions(filter), 'name'))
  return { letters, total: letters.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * The sections of a list by its sort field: names by letter, years, content ratings, half hours, months. Items without a value are in the
 * last section, as in the list.
 * @throws AppError `invalid_request`
 */
export async function computeListSections(
  { catalogueCache }: { catalogueCache: CatalogueCache },
  { field: word, order, ...filter }: ItemConditions & { field?: string | undefined; order?: string | undefined },
): Promise<ListIndex> {
  const field = fieldOf(word)
  const counts = await countGroups(await catalogueCache.open(), checkConditions(filter), field)
  const named = orderLabels(
    field,
    counts.filter(({ label }) => label !== ''),
  )
  if (order?.toLowerCase() === 'desc') named.reverse()
  let offset = 0
  const buckets = [...named, ...counts.filter(({ label }) => label === '')].map(({ label, count }): ListSection => {
    offset += count
    return { key: label, label: captionOf(field, label), offset: offset - count, count }
  })
  return { field, buckets, total: offset }
}

function fieldOf(word: string | undefined): ListSectionField {
  if (word === 'date_added') return 'added'
  return (['year', 'rating', 'runtime', 'added'] as const).find((field) => field === word) ?? 'name'
}

/** Reads the count tables if they answer the filter, and counts the items otherwise. */
async function countGroups(
  cache: CurrentCatalogue,
  filter: CheckedConditions,
  field: ListSectionField,
): Promise<FacetCount[]> {
  const { itemCounts, label } = await findItemCounts(cache, filter)
  const isCounted = label?.kind === 'items' && (field === 'name' || field === 'year')
  if (!isCounted) {
    return cache.getOrCompute(`${field} ${JSON.stringify(filter)}`, () => selectSectionCounts(cache.db, filter, field))
  }
  const counts = await countFacets(cache, filter, field === 'name' ? 'letter' : field)
  const without = sumCounts(itemCounts) - counts.reduce((sum, { count }) => sum + count, 0)
  return without > 0 ? [...counts, { label: '', count: without }] : counts
}

function orderLabels(field: ListSectionField, counts: readonly FacetCount[]): FacetCount[] {
  if (field === 'name') return countLetterOffsets(counts).map(({ letter, count }) => ({ label: letter, count }))
  if (field === 'added') return counts.toSorted((a, b) => (a.label < b.label ? -1 : 1))
  return counts.toSorted((a, b) => Number(a.label) - Number(b.label))
}

function captionOf(field: ListSectionField, label: string): string {
  if (label === '') return 'Unknown'
  if (field === 'rating') return RATING_NAMES[Number(label) - 1] ?? 'Other'
  if (field !== 'runtime') return label
  const minutes = Number(label)
  return minutes >= 180 ? '180+ min' : `${minutes}–${minutes + 30} min`
}
