import { catalogueErrors, checkPage, type Page, type PageRequest } from '../catalogue/index.ts'

const DEFAULT_LIMIT = 100

/** Maximum number of albums or tracks embedded in an artist or album. */
export const MAX_EMBEDDED = { inLists: 100, inDetail: 2000 }

/** `limit` in 1…100, default 100; `offset` from 0. */
export function checkMusicPage({ limit = DEFAULT_LIMIT, offset }: PageRequest): Page {
  return checkPage({ limit, offset })
}

/**
 * A name from a URL path, unchanged, including its spaces.
 * @throws AppError `invalid_request` for an empty name
 */
export function checkMusicName(name: string, what: string): string {
  if (name === '') throw catalogueErrors.invalid_request({ message: `${what} is empty`, details: { field: what } })
  return name
}

/** The name to filter by, trimmed; null for none. */
export function trimmedOrNull(name: string | undefined): string | null {
  const trimmed = (name ?? '').trim()
  return trimmed === '' ? null : trimmed
}

/** Whether a text cannot be a name because the database would refuse it. */
export function isUnstorableName(name: string): boolean {
  return name.includes('\0') || !name.isWellFormed()
}
