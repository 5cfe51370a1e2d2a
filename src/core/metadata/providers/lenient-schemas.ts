import { isJsonObject } from '../../platform/json/index.ts'
import { z } from 'zod'

/**
 * Schemas for provider replies. A value of an unexpected type is treated as absent instead of invalidating the whole reply. Each schema
 * also accepts its own output, because that output is cached and parsed again.
 */

const MAX_CHARACTERS = 10_000

/** A text that is not blank; else null. */
export const LenientText = z
  .unknown()
  .transform((value) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_CHARACTERS) : null,
  )
  .prefault(null)

/** A number; else null. */
export const LenientNumber = z
  .unknown()
  .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null))
  .prefault(null)

/** True for true; false for everything else. */
export const LenientFlag = z
  .unknown()
  .transform((value) => value === true)
  .prefault(null)

/** A numeric id, as a text; else null. */
export const LenientId = z
  .unknown()
  .transform((value) => {
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? text : null
  })
  .prefault(null)

/** `YYYY-MM-DD`; else null. */
export const LenientDate = z
  .unknown()
  .transform((value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null))
  .prefault(null)

/** The list entries that have the expected form, up to a maximum; empty if the value is no list. */
export function lenientList<Schema extends z.ZodType>(schema: Schema, most: number) {
  return z
    .unknown()
    .transform((value): z.output<Schema>[] => {
      if (!Array.isArray(value)) return []
      return value
        .flatMap((entry: unknown) => {
          const parsed = schema.safeParse(entry)
          return parsed.success ? [parsed.data] : []
        })
        .slice(0, most)
    })
    .prefault(null)
}

/** An object; if the value is none, an object with all fields absent. */
export function lenientObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape)
  return z
    .unknown()
    .transform((value): z.output<typeof schema> => schema.parse(isJsonObject(value) ? value : {}))
    .prefault(null)
}

/** The year of a date such as `1999-03-31`; null for the year 0, which is a placeholder. */
export function parseDateYear(day: string | null): number | null {
  const year = Number(day?.slice(0, 4) ?? 0)
  return year > 0 ? year : null
}

/** Removes absent values: null, and empty lists and objects. */
export function omitAbsentValues(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => hasValue(value)))
}

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
