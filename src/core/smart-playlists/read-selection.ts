import { smartPlaylistErrors } from './errors.ts'
import { readRules } from './parse-rules.ts'
import { readIsDescending, readLimit, readSortBy, type Selection } from './smart-playlist.ts'

/** Untrusted values of a request; `rules` is JSON text or a parsed value. */
export type SelectionInput = { rules?: unknown; limit?: unknown; sortBy?: unknown; isDescending?: unknown }

type SelectionDefaults = Omit<Selection, 'rules'> & Partial<Pick<Selection, 'rules'>>

/** Defaults of a new smart playlist. */
const DEFAULTS: SelectionDefaults = { limit: 0, sortBy: 'addedAt', isDescending: true }

/**
 * Reads the selection of a request; absent fields keep their previous value, or the default of a new smart playlist.
 * @throws AppError `missing_rules`, `invalid_rules`, `invalid_request`
 */
export function readSelection(input: SelectionInput, before: SelectionDefaults = DEFAULTS): Selection {
  const rules = input.rules === undefined || input.rules === null ? before.rules : readRules(input.rules)
  if (rules === undefined) throw smartPlaylistErrors.missing_rules()
  return {
    rules,
    limit: input.limit === undefined ? before.limit : readLimit(input.limit),
    sortBy: input.sortBy === undefined ? before.sortBy : readSortBy(input.sortBy),
    isDescending: input.isDescending === undefined ? before.isDescending : readIsDescending(input.isDescending),
  }
}
