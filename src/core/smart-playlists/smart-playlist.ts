import type { ErrorFactory } from '../platform/errors/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { RULE_FIELDS, type RuleField, type RuleNode } from './rule-tree.ts'

/** Rules that select items of a library, and the sort order of the result. */
export type SmartPlaylist = {
  /** UUID. */
  id: string
  name: string
  libraryId: string
  /** The account that created it; null: a deleted account. */
  ownerId: string | null
  rules: RuleNode
  /** Maximum number of items; 0: all. */
  limit: number
  sortBy: SortKey
  isDescending: boolean
  createdAt: Date
  updatedAt: Date
}

/** A smart playlist whose rules are JSON text. */
export type SmartPlaylistText = Omit<SmartPlaylist, 'rules'> & { rulesText: string }

/** A field of the rules, the duration, or random order. */
export type SortKey = RuleField | 'runtime' | 'random'

/** The fields that decide which items are selected and in which order; a preview may override them. */
export type ItemSelectionRules = Pick<SmartPlaylist, 'rules' | 'limit' | 'sortBy' | 'isDescending'>

const NAME_MAX_CHARACTERS = 128
const MAX_INTEGER = 2_147_483_647

type NameErrors = Record<'missing_name' | 'invalid_request', ErrorFactory>

/**
 * Validates the name of a smart playlist. Collections use it too and pass their own errors.
 * @throws AppError `missing_name`; `invalid_request` if the name is too long or cannot be stored
 */
export function parsePlaylistName(value: unknown, errors: NameErrors = smartPlaylistErrors): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '') throw errors.missing_name()
  const isStorable = name.isWellFormed() && !name.includes('\0')
  if (isStorable && Array.from(name).length <= NAME_MAX_CHARACTERS) return name
  const message = `name must be text of at most ${NAME_MAX_CHARACTERS} characters`
  throw errors.invalid_request({ message, details: { field: 'name' } })
}

/**
 * Validates the maximum number of items; 0: all.
 * @throws AppError `invalid_request`
 */
export function parsePlaylistLimit(value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_INTEGER) return value as number
  throw invalidField('limit', 'must be a whole number from 0')
}

/**
 * Validates the sort key.
 * @throws AppError `invalid_request`
 */
export function parseSortBy(value: unknown): SortKey {
  const keys = [...(Object.keys(RULE_FIELDS) as RuleField[]), 'runtime', 'random'] as const
  const known = keys.find((key) => key === value)
  if (known !== undefined) return known
  throw invalidField('sort_by', `must be one of ${keys.join(', ')}`)
}

/**
 * Validates the flag for descending order.
 * @throws AppError `invalid_request`
 */
export function parseIsDescending(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw invalidField('sort_desc', 'must be true or false')
}

function invalidField(field: string, problem: string): Error {
  return smartPlaylistErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
}
