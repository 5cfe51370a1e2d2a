import { acquireNamedLock, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { countPlaylists, sumRuleCharacters } from './queries/playlists.ts'

/** Per account. */
const MAX_PLAYLISTS = 200
/** Characters of JSON, as PostgreSQL writes it. A list returns the rules of up to a hundred playlists. */
const MAX_RULES = 1024 * 1024

/**
 * Checks that an account may create one more smart playlist. Locks, so that its concurrent requests run one after the other until the
 * transaction ends.
 * @throws AppError `too_many_smart_playlists`
 */
export async function checkPlaylistQuota(connection: Connection, ownerId: string): Promise<void> {
  await acquireNamedLock(connection, `smart playlists of ${ownerId}`)
  if ((await countPlaylists(connection, ownerId)) < MAX_PLAYLISTS) return
  const message = `An account has at most ${MAX_PLAYLISTS} smart playlists.`
  throw smartPlaylistErrors.too_many_smart_playlists({ message, details: { limit: MAX_PLAYLISTS } })
}

/**
 * Checks the size of all rules of an account, after some were written; null: the owner account is deleted.
 * @throws AppError `too_many_rules`
 */
export async function checkRulesQuota(connection: Connection, ownerId: string | null): Promise<void> {
  if (ownerId === null) return
  await acquireNamedLock(connection, `smart playlists of ${ownerId}`)
  if ((await sumRuleCharacters(connection, ownerId)) <= MAX_RULES) return
  const message = `The rules of the smart playlists of an account are at most ${MAX_RULES} characters of JSON together.`
  throw smartPlaylistErrors.too_many_rules({ message, details: { limit: MAX_RULES } })
}
