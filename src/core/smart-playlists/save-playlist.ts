import { getLibrary } from '../libraries/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { lockEditablePlaylist, type PlaylistEditor } from './load-playlists.ts'
import { checkPlaylistQuota, checkRulesQuota } from './quota.ts'
import { deletePlaylistRecord, insertPlaylist, updatePlaylist } from './queries/playlists.ts'
import { parseSelection, type SelectionInput } from './parse-selection.ts'
import { parsePlaylistName, type SmartPlaylist } from './smart-playlist.ts'

type Dependencies = { db: Database; clock: Clock }
type PlaylistAddress = { id: string; by: PlaylistEditor }

/** Untrusted fields of a request. */
export type SmartPlaylistInput = SelectionInput & { name?: unknown; libraryId?: unknown }

/**
 * Creates a smart playlist for the account.
 * @throws AppError `missing_name`, `missing_library_id`, `missing_rules`, `invalid_rules`, `invalid_request`, `library_not_found`,
 * `too_many_smart_playlists`, `too_many_rules`
 */
export async function createSmartPlaylist(
  { db, clock }: Dependencies,
  { by, input }: { by: PlaylistEditor; input: SmartPlaylistInput },
): Promise<SmartPlaylist> {
  const name = parsePlaylistName(input.name)
  if (typeof input.libraryId !== 'string' || input.libraryId === '') throw smartPlaylistErrors.missing_library_id()
  const selection = parseSelection(input)
  const { id: libraryId } = await getLibrary({ db }, input.libraryId)
  return db.transaction(async (connection: Connection) => {
    await checkPlaylistQuota(connection, by.id)
    const made = await insertPlaylist(connection, { ...selection, name, libraryId, ownerId: by.id, now: clock.now() })
    await checkRulesQuota(connection, by.id)
    return made
  })
}

/**
 * Changes the given fields; the library stays. Its collections are not refreshed.
 * @throws AppError `smart_playlist_not_found`, `not_owner`, and the errors of `createSmartPlaylist`
 */
export async function changeSmartPlaylist(
  { db, clock }: Dependencies,
  { changes, ...address }: PlaylistAddress & { changes: Omit<SmartPlaylistInput, 'libraryId'> },
): Promise<SmartPlaylist> {
  return db.transaction(async (connection: Connection) => {
    const before = await lockEditablePlaylist(connection, address)
    const name = changes.name === undefined ? before.name : parsePlaylistName(changes.name)
    const row = { ...parseSelection(changes, before), id: before.id, name, now: clock.now() }
    const changed = await updatePlaylist(connection, row)
    // An account above the quota, from before the quota existed, may reduce its rules.
    if (sizeOf(changed) > sizeOf(before)) await checkRulesQuota(connection, before.ownerId)
    return changed
  })
}

/**
 * Deletes one; its collections keep their items.
 * @throws AppError `smart_playlist_not_found`, `not_owner`
 */
export async function deleteSmartPlaylist({ db }: { db: Database }, address: PlaylistAddress): Promise<void> {
  await db.transaction(async (connection: Connection) => {
    const { id } = await lockEditablePlaylist(connection, address)
    await deletePlaylistRecord(connection, id)
  })
}

function sizeOf({ rules }: Pick<SmartPlaylist, 'rules'>): number {
  return JSON.stringify(rules).length
}
