import { catalogueErrors, checkPage, type Page, type PageRequest } from '../catalogue/index.ts'

const DEFAULT_LIMIT = 100

/** How many entries an album or artist brings along, in lists and in its detail (document 1, Limits). */
export const EMBEDDED = { inLists: 100, inDetail: 2000 }

/** `limit` in 1…100, default 100; `offset` from 0 (document 1, Music). */
export function checkMusicPage({ limit = DEFAULT_LIMIT, offset }: PageRequest): Page {
  return checkPage({ limit, offset })
}

/**
 * A name out of a path, as it was sent: spaces count.
 * @throws AppError `invalid_request` for an empty one
 */
export function checkName(name: string, what: string): string {
  if (name === '') throw catalogueErrors.invalid_request({ message: `${what} is empty`, details: { field: what } })
  return name
}

/** The name to filter by, without spaces around it; null for none. */
export function readFilter(name: string | undefined): string | null {
  const trimmed = (name ?? '').trim()
  return trimmed === '' ? null : trimmed
}

/** Text that no name can be, and that the database would refuse. */
export function isNoName(name: string): boolean {
  return name.includes('\0') || !name.isWellFormed()
}
