import { smartPlaylistErrors } from './errors.ts'
import { readRules } from './parse-rules.ts'
import { readIsDescending, readLimit, readSortBy, type Selection } from './smart-playlist.ts'

/** As a request brings it; `rules` is JSON text or what was parsed from it. */
export type SelectionInput = { rules?: unknown; limit?: unknown; sortBy?: unknown; isDescending?: unknown }

type Fallback = Omit<Selection, 'rules'> & Partial<Pick<Selection, 'rules'>>

/** Of a new smart playlist (document 2). */
const DEFAULTS: Fallback = { limit: 0, sortBy: 'addedAt', isDescending: true }

/**
 * Reads what chooses items; what is absent is as it was, or as a new smart playlist has it.
 * @throws AppError `missing_rules`, `invalid_rules`, `invalid_request`
 */
export function readSelection(input: SelectionInput, before: Fallback = DEFAULTS): Selection {
  const rules = input.rules === undefined || input.rules === null ? before.rules : readRules(input.rules)
  if (rules === undefined) throw smartPlaylistErrors.missing_rules()
  return {
    rules,
    limit: input.limit === undefined ? before.limit : readLimit(input.limit),
    sortBy: input.sortBy === undefined ? before.sortBy : readSortBy(input.sortBy),
    isDescending: input.isDescending === undefined ? before.isDescending : readIsDescending(input.isDescending),
  }
}
