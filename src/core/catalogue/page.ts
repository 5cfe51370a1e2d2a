/** Which part of a list is wanted; both are optional and need not be sensible. */
export type PageRequest = { limit?: number | undefined; offset?: number | undefined }

export type Page = { limit: number; offset: number }

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** Brings `limit` into 1…100 (default 50) and `offset` to 0 or more (decisions 3.3, Lists). */
export function checkPage({ limit = DEFAULT_LIMIT, offset = 0 }: PageRequest): Page {
  return {
    limit: clamp(limit, { min: 1, max: MAX_LIMIT, otherwise: DEFAULT_LIMIT }),
    offset: clamp(offset, { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
  }
}

function clamp(value: number, { min, max, otherwise }: { min: number; max: number; otherwise: number }): number {
  return Number.isNaN(value) ? otherwise : Math.min(Math.max(Math.trunc(value), min), max)
}
