import { z } from 'zod'
import { catalogueErrors } from '../errors.ts'
import type { MediaItemType } from '../item/media-item.ts'
import { checkPage, type Page, type PageRequest } from '../item/page.ts'
import type { NumberRange } from './number-range.ts'
import { parseFacets, parseRatingRanges, parseItemTypes, type FacetFilter, type RatingRanges } from './facet-filter.ts'

/** Conditions on items. Every field is optional. The values of one list are alternatives (or); different fields are combined (and). */
export type ItemConditions = {
  /** UUID; absent or blank: all libraries. */
  libraryId?: string | undefined
  /** UUID; only direct children of this item. */
  parentId?: string | undefined
  /** Only items without parent; has no effect on a search. */
  topLevel?: boolean | undefined
  /** Words of the name, compared without case and accents. Only the first 256 characters are used. */
  search?: string | undefined
  genres?: readonly string[] | undefined
  /** Content ratings. */
  ratings?: readonly string[] | undefined
  actors?: readonly string[] | undefined
  companies?: readonly string[] | undefined
  /** Item types; the API names `image` and `audio` are accepted for `photo` and `track`. */
  types?: readonly string[] | undefined
  yearFrom?: number | undefined
  yearTo?: number | undefined
  /** `matched` or `unmatched` with a provider; other values are ignored. */
  match?: string | undefined
  /** A number: a community rating of 0 to 10. A content rating (`PG-13`): a bound on its rank. */
  minRating?: string | undefined
  maxRating?: string | undefined
}

/** Conditions, sort order and page of a list. Numbers out of range are clamped. */
export type ItemFilter = PageRequest &
  ItemConditions & {
    sort?: string | undefined
    order?: string | undefined
    /** Whether a search without results finds similar names; default true. */
    findsSimilar?: boolean | undefined
  }

export const SORT_FIELDS = ['name', 'year', 'added', 'runtime', 'rating', 'random'] as const

/** Conditions on items after validation, with defaults applied. */
export type CheckedConditions = RatingRanges & {
  libraryId: string | undefined
  parentId: string | undefined
  isTopLevel: boolean
  search: string | undefined
  types: readonly MediaItemType[] | undefined
  facets: readonly FacetFilter[]
  years: NumberRange | undefined
  isMatched: boolean | undefined
}

export type CheckedItemFilter = Page &
  CheckedConditions & {
    /** `relevance`: how well the name matches; `position`: by season and episode number. */
    sort: (typeof SORT_FIELDS)[number] | 'relevance' | 'position'
    order: 'asc' | 'desc'
    findsSimilar: boolean
  }

const SEARCH_MAX_CHARACTERS = 256
/** Larger than any year, and within the range of the database type. */
const YEAR_LIMIT = 100_000
const Id = z.guid()

/**
 * Validates a filter and applies its defaults.
 * @throws AppError `invalid_request` with `details.field`
 */
export function checkItemFilter(filter: ItemFilter): CheckedItemFilter {
  const conditions = checkConditions(filter)
  const { search, parentId } = conditions
  return {
    ...conditions,
    sort: readSort(filter.sort, search === undefined ? (parentId === undefined ? 'name' : 'position') : 'relevance'),
    order: filter.order?.toLowerCase() === 'desc' ? 'desc' : 'asc',
    findsSimilar: filter.findsSimilar ?? true,
    ...checkPage(filter),
  }
}

/**
 * Validates the conditions of a filter.
 * @throws AppError `invalid_request` with `details.field`
 */
export function checkConditions(filter: ItemConditions): CheckedConditions {
  const parentId = readId(filter.parentId, 'parentId')
  const search = normalizeSearch(filter.search)
  const isTopLevel = filter.topLevel === true && search === undefined
  if (parentId !== undefined && isTopLevel) {
    throw catalogueErrors.invalid_request({
      message: 'parentId and topLevel exclude each other',
      details: { field: 'parentId' },
    })
  }
  return {
    libraryId: readId(filter.libraryId, 'libraryId'),
    parentId,
    isTopLevel,
    search,
    types: parseItemTypes(filter.types),
    facets: parseFacets(filter),
    years: readRange(filter.yearFrom, filter.yearTo),
    ...parseRatingRanges(filter),
    isMatched: filter.match === 'matched' ? true : filter.match === 'unmatched' ? false : undefined,
  }
}

function readId(value: string | undefined, field: string): string | undefined {
  if (value === undefined || value.trim() === '') return undefined
  if (Id.safeParse(value).success) return value
  throw catalogueErrors.invalid_request({ message: `${field} must be a UUID`, details: { field } })
}

/** The normalized search text. Undefined if it is empty: accents without letters are removed from names, too. */
export function normalizeSearch(value: string | undefined): string | undefined {
  const cleaned = (value ?? '').replaceAll('\0', '').toWellFormed().trim()
  const text = Array.from(cleaned).slice(0, SEARCH_MAX_CHARACTERS).join('')
  return /^[\p{M}\s]*$/u.test(text) ? undefined : text
}

function readRange(from: number | undefined, to: number | undefined): NumberRange | undefined {
  if (from === undefined && to === undefined) return undefined
  return { from: readYear(from), to: readYear(to) }
}

function readYear(value: number | undefined): number | null {
  if (value === undefined || Number.isNaN(value)) return null
  return Math.min(Math.max(Math.trunc(value), -YEAR_LIMIT), YEAR_LIMIT)
}

function readSort(value: string | undefined, otherwise: CheckedItemFilter['sort']): CheckedItemFilter['sort'] {
  if (value === undefined) return otherwise
  if (value === 'date_added') return 'added'
  return SORT_FIELDS.find((field) => field === value) ?? 'name'
}
