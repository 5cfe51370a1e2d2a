import { isJsonObject } from '../platform/json/index.ts'
import { catalogueErrors } from '../catalogue/index.ts'

/** Where an edited field is stored: in a column of the row, or under a key of its metadata. */
type FieldLocation = 'column' | 'metadata'

type Field = { key: string; place: FieldLocation; check: (value: unknown) => string | undefined }

const MAX_ENTRIES = 200
const MAX_ENTRY_LENGTH = 200
const LAST_YEAR = 9999

const text = (longest: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= longest && isStorable(value)
    ? undefined
    : `must be text of at most ${longest} characters`

const name = (longest: number) => (value: unknown) =>
  text(longest)(value) ?? (String(value).trim() === '' ? 'must not be blank' : undefined)

const texts = (value: unknown): string | undefined =>
  Array.isArray(value) &&
  value.length <= MAX_ENTRIES &&
  value.every((entry) => name(MAX_ENTRY_LENGTH)(entry) === undefined)
    ? undefined
    : `must be a list of at most ${MAX_ENTRIES} texts of at most ${MAX_ENTRY_LENGTH} characters`

const year = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LAST_YEAR
    ? undefined
    : `must be a whole number from 1 to ${LAST_YEAR}`

const day = (value: unknown): string | undefined => (isDay(value) ? undefined : 'must be a day, as 1999-12-31')

const column = (key: string, check: Field['check']): Field => ({ key, place: 'column', check })
const fact = (key: string, check: Field['check']): Field => ({ key, place: 'metadata', check })

/**
 * The editable fields, by the names of an item in the API. A client may send both names of one field; the first in this table wins (`name`
 * before `title`).
 */
const FIELDS: Readonly<Record<string, Field>> = {
  name: column('name', name(1000)),
  title: column('name', name(1000)),
  sort_title: column('sort_title', name(400)),
  year: column('year', year),
  episode_title: column('episode_title', name(1000)),
  overview: fact('overview', text(10_000)),
  summary: fact('overview', text(10_000)),
  tagline: fact('tagline', text(1000)),
  original_title: fact('original_title', text(1000)),
  rating: fact('rating', text(50)),
  studio: fact('studio', text(200)),
  director: fact('director', text(500)),
  genres: fact('genres', texts),
  tags: fact('tags', texts),
  actors: fact('actors', texts),
  release_date: fact('release_date', day),
  air_date: fact('air_date', day),
}

/** A change of one field. Null removes an earlier edit. */
export type FieldChange = { key: string; place: FieldLocation; value: unknown }

/**
 * The changes in a partial item that a client sends. Absent and read-only fields are ignored. Top-level names have priority over those
 * under `metadata`.
 * @throws AppError `invalid_request` with `details.field`
 */
export function parseFieldChanges(part: Readonly<Record<string, unknown>>): FieldChange[] {
  const inner = part['metadata']
  const fields = { ...(isJsonObject(inner) ? inner : {}), ...part }
  const changes = new Map<string, FieldChange>()
  for (const [field, { key, place, check }] of Object.entries(FIELDS)) {
    if (!Object.hasOwn(fields, field) || changes.has(key)) continue
    const value = fields[field]
    const problem = value === null ? undefined : check(value)
    if (problem !== undefined) {
      throw catalogueErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
    }
    changes.set(key, { key, place, value })
  }
  return [...changes.values()]
}

/** PostgreSQL accepts neither U+0000 nor unpaired surrogates. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  // Date.parse accepts the 31st of February and returns a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
