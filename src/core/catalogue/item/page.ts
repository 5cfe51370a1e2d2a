/** The requested part of a list. Both values are optional and untrusted. */
export type PageRequest = { limit?: number | undefined; offset?: number | undefined }

export type Page = { limit: number; offset: number }

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** The limits of lists that clients read completely, without a limit: the maximum of one reply. */
export const UNPAGED_LIST_BOUNDS = { otherwise: 1000, most: 1000 } as const

/** Clamps `limit` to 1…100 (default 50), or to the bounds of the list, and `offset` to 0 or more. */
export function checkPage(
  { limit, offset = 0 }: PageRequest,
  { otherwise, most }: { otherwise: number; most: number } = { otherwise: DEFAULT_LIMIT, most: MAX_LIMIT },
): Page {
  return {
    limit: clamp(limit ?? otherwise, { min: 1, max: most, otherwise }),
    offset: clamp(offset, { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
  }
}

function clamp(value: number, { min, max, otherwise }: { min: number; max: number; otherwise: number }): number {
  return Number.isNaN(value) ? otherwise : Math.min(Math.max(Math.trunc(value), min), max)
}
