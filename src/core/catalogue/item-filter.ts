import { z } from 'zod'
import { catalogueErrors } from './errors.ts'

/** Which items are listed, and how. Everything is optional; out-of-range numbers are clamped (decisions 3.3). */
export type ItemFilter = {
  /** UUID; absent or blank: all libraries. */
  libraryId?: string | undefined
  /** UUID; only direct children of this item. */
  parentId?: string | undefined
  /** Only items without parent; without effect on a search. */
  topLevel?: boolean | undefined
  /** Part of the name, without regard to case and accents; 256 characters at most are read. */
  search?: string | undefined
  sort?: string | undefined
  order?: string | undefined
  /** Default 50, at most 100. */
  limit?: number | undefined
  offset?: number | undefined
}

export const SORT_FIELDS = ['name', 'year', 'added', 'runtime', 'rating', 'random'] as const

/** The same, with every value decided. */
export type CheckedItemFilter = {
  libraryId: string | undefined
  parentId: string | undefined
  isTopLevel: boolean
  search: string | undefined
  /** `relevance`: names that start with the search first. */
  sort: (typeof SORT_FIELDS)[number] | 'relevance'
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100
const SEARCH_MAX_CHARACTERS = 256
const Id = z.guid()

/**
 * Decides every value of a filter (document 1, Media catalogue; decisions 3.6).
 * @throws AppError `invalid_request` with `details.field`
 */
export function checkItemFilter(filter: ItemFilter): CheckedItemFilter {
  const parentId = readId(filter.parentId, 'parentId')
  if (parentId !== undefined && filter.topLevel === true) {
    throw catalogueErrors.invalid_request({
      message: 'parentId and topLevel exclude each other',
      details: { field: 'parentId' },
    })
  }
  const search = readSearch(filter.search)
  return {
    libraryId: readId(filter.libraryId, 'libraryId'),
    parentId,
    isTopLevel: filter.topLevel === true && search === undefined,
    search,
    sort: readSort(filter.sort, search !== undefined),
    order: filter.order?.toLowerCase() === 'desc' ? 'desc' : 'asc',
    limit: clamp(filter.limit ?? DEFAULT_LIMIT, { min: 1, max: MAX_LIMIT, otherwise: DEFAULT_LIMIT }),
    offset: clamp(filter.offset ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
  }
}

function readId(value: string | undefined, field: string): string | undefined {
  if (value === undefined || value.trim() === '') return undefined
  if (Id.safeParse(value).success) return value
  throw catalogueErrors.invalid_request({ message: `${field} must be a UUID`, details: { field } })
}

function readSearch(value: string | undefined): string | undefined {
  const clean = (value ?? '').replaceAll('\0', '').toWellFormed().trim()
  const text = Array.from(clean).slice(0, SEARCH_MAX_CHARACTERS).join('')
  return text === '' ? undefined : text
}

function readSort(value: string | undefined, isSearch: boolean): CheckedItemFilter['sort'] {
  if (value === undefined && isSearch) return 'relevance'
  if (value === 'date_added') return 'added'
  return SORT_FIELDS.find((field) => field === value) ?? 'name'
}

function clamp(value: number, { min, max, otherwise }: { min: number; max: number; otherwise: number }): number {
  return Number.isNaN(value) ? otherwise : Math.min(Math.max(Math.trunc(value), min), max)
}
