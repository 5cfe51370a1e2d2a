import { z } from 'zod'
import { catalogueErrors } from './errors.ts'
import { checkPage, type Page, type PageRequest } from './page.ts'

/** Which items are listed, and how. Everything is optional; out-of-range numbers are clamped (decisions 3.3). */
export type ItemFilter = PageRequest & {
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
}

export const SORT_FIELDS = ['name', 'year', 'added', 'runtime', 'rating', 'random'] as const

/** The same, with every value decided. */
export type CheckedItemFilter = Page & {
  libraryId: string | undefined
  parentId: string | undefined
  isTopLevel: boolean
  search: string | undefined
  /** `relevance`: names that start with the search first; `position`: as seasons and episodes are numbered. */
  sort: (typeof SORT_FIELDS)[number] | 'relevance' | 'position'
  order: 'asc' | 'desc'
}

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
    sort: readSort(filter.sort, search === undefined ? (parentId === undefined ? 'name' : 'position') : 'relevance'),
    order: filter.order?.toLowerCase() === 'desc' ? 'desc' : 'asc',
    ...checkPage(filter),
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

function readSort(value: string | undefined, otherwise: CheckedItemFilter['sort']): CheckedItemFilter['sort'] {
  if (value === undefined) return otherwise
  if (value === 'date_added') return 'added'
  return SORT_FIELDS.find((field) => field === value) ?? 'name'
}
