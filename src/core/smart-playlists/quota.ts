import { lockName, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { countPlaylists, sumRules } from './queries/playlists.ts'

/** For each account. */
const MAX_PLAYLISTS = 200
/** Characters of JSON, as PostgreSQL writes it. A list answers with the rules of up to a hundred. */
const MAX_RULES = 1024 * 1024

/**
 * Lets an account make one more smart playlist, which it does one at a time until the transaction ends.
 * @throws AppError `too_many_smart_playlists`
 */
export async function checkPlaylistQuota(connection: Connection, ownerId: string): Promise<void> {
  await lockName(connection, `smart playlists of ${ownerId}`)
  if ((await countPlaylists(connection, ownerId)) < MAX_PLAYLISTS) return
  const message = `An account has at most ${MAX_PLAYLISTS} smart playlists.`
  throw smartPlaylistErrors.too_many_smart_playlists({ message, details: { limit: MAX_PLAYLISTS } })
}

/**
 * Judges all rules of an account, after some were written; null: its maker has no account any more.
 * @throws AppError `too_many_rules`
 */
export async function checkRulesQuota(connection: Connection, ownerId: string | null): Promise<void> {
  if (ownerId === null) return
  await lockName(connection, `smart playlists of ${ownerId}`)
  if ((await sumRules(connection, ownerId)) <= MAX_RULES) return
  const message = `The rules of the smart playlists of an account are at most ${MAX_RULES} characters of JSON together.`
  throw smartPlaylistErrors.too_many_rules({ message, details: { limit: MAX_RULES } })
}
