import { z } from 'zod'

/**
 * Schemas for what providers answer: a value of another form than expected counts as absent, instead of making the whole reply
 * unreadable. Each takes its own result again, for that is what is kept of a reply.
 */

const MAX_CHARACTERS = 10_000

/** A text that says something; else null. */
export const Text = z
  .unknown()
  .transform((value) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_CHARACTERS) : null,
  )
  .prefault(null)

/** A number; else null. */
export const Amount = z
  .unknown()
  .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null))
  .prefault(null)

/** True for true; false for everything else. */
export const Flag = z
  .unknown()
  .transform((value) => value === true)
  .prefault(null)

/** A number that names something, as a text; else null. */
export const Id = z
  .unknown()
  .transform((value) => {
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? text : null
  })
  .prefault(null)

/** `YYYY-MM-DD`; else null. */
export const Day = z
  .unknown()
  .transform((value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null))
  .prefault(null)

/** The entries of a list that have the form; at most so many, and none where there is no list. */
export function listOf<Schema extends z.ZodType>(schema: Schema, most: number) {
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

/** An object; where there is none, one in which everything is absent. */
export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape)
  return z
    .unknown()
    .transform((value): z.output<typeof schema> => schema.parse(isObject(value) ? value : {}))
    .prefault(null)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The year of a day of that form; null for the year 0, which nobody means. */
export function yearOf(day: string | null): number | null {
  const year = Number(day?.slice(0, 4) ?? 0)
  return year > 0 ? year : null
}

/** Without what nobody said: null, and lists and objects without entries. */
export function known(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => isSaid(value)))
}

function isSaid(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
