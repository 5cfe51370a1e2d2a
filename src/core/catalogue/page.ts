/** Which part of a list is wanted; both are optional and need not be sensible. */
export type PageRequest = { limit?: number | undefined; offset?: number | undefined }

export type Page = { limit: number; offset: number }

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** For lists that clients ask for whole, without a limit: as many as one answer holds. */
export const WHOLE_LIST = { otherwise: 1000, most: 1000 } as const

/** Brings `limit` into 1…100 (default 50), or what the list has instead, and `offset` to 0 or more. */
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
