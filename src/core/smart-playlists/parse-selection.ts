import { smartPlaylistErrors } from './errors.ts'
import { parseUntrustedRules } from './parse-rules.ts'
import { parseIsDescending, parsePlaylistLimit, parseSortBy, type ItemSelectionRules } from './smart-playlist.ts'

/** Untrusted values of a request; `rules` is JSON text or a parsed value. */
export type SelectionInput = { rules?: unknown; limit?: unknown; sortBy?: unknown; isDescending?: unknown }

type SelectionDefaults = Omit<ItemSelectionRules, 'rules'> & Partial<Pick<ItemSelectionRules, 'rules'>>

/** Defaults of a new smart playlist. */
const DEFAULTS: SelectionDefaults = { limit: 0, sortBy: 'addedAt', isDescending: true }

/**
 * Parses the selection of a request. Absent fields keep their previous value, or get the default of a new smart playlist.
 * @throws AppError `missing_rules`, `invalid_rules`, `invalid_request`
 */
export function parseSelection(input: SelectionInput, before: SelectionDefaults = DEFAULTS): ItemSelectionRules {
  const rules = input.rules === undefined || input.rules === null ? before.rules : parseUntrustedRules(input.rules)
  if (rules === undefined) throw smartPlaylistErrors.missing_rules()
  return {
    rules,
    limit: input.limit === undefined ? before.limit : parsePlaylistLimit(input.limit),
    sortBy: input.sortBy === undefined ? before.sortBy : parseSortBy(input.sortBy),
    isDescending: input.isDescending === undefined ? before.isDescending : parseIsDescending(input.isDescending),
  }
}
