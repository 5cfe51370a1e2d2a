import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import { parseStoredRules } from '../parse-rules.ts'
import { parseSortBy, type ItemSelectionRules, type SmartPlaylist, type SmartPlaylistText } from '../smart-playlist.ts'

const PlaylistFields = {
  id: z.string(),
  name: z.string(),
  libraryId: z.string(),
  ownerId: z.string().nullable(),
  limit: z.number(),
  sortBy: z.string().transform(parseSortBy),
  isDescending: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
}

/** Rules and sort key are validated again when they are read: a row of another release is not trusted. */
const PlaylistRow = z.strictObject({ ...PlaylistFields, rules: z.unknown().transform(parseStoredRules) })

const PlaylistTextRow = z.strictObject({ ...PlaylistFields, rulesText: z.string() })

const fields = sql.fragment`
  id, name, library_id, owner_id, item_limit as limit, sort_by, is_descending, created_at, updated_at`
const columns = sql.fragment`${fields}, rules`

export async function insertPlaylist(
  connection: Connection,
  row: ItemSelectionRules & { name: string; libraryId: string; ownerId: string; now: Date },
): Promise<SmartPlaylist> {
  const now = sql.timestamp(row.now)
  return connection.one(sql.type(PlaylistRow)`
    insert into smart_playlists (name, library_id, owner_id, rules, item_limit, sort_by, is_descending, created_at, updated_at)
    values (${row.name}, ${row.libraryId}, ${row.ownerId}, ${JSON.stringify(row.rules)}::jsonb, ${row.limit}, ${row.sortBy},
      ${row.isDescending}, ${now}, ${now})
    returning ${columns}`)
}

/** Ids of a page, by name. */
export async function selectPlaylistIds(
  connection: Connection,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from smart_playlists order by name, id limit ${limit} offset ${offset}`)
}

/** The number of playlists of an account. Index smart_playlists_owner_id. */
export async function countPlaylists(connection: Connection, ownerId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from smart_playlists where owner_id = ${ownerId}`)
}

export async function selectPlaylist(connection: Connection, id: string): Promise<SmartPlaylist | undefined> {
  const row = await connection.maybeOne(sql.type(PlaylistRow)`select ${columns} from smart_playlists where id = ${id}`)
  return row ?? undefined
}

/** One playlist with its rules as text: 64 KiB of rules as objects take ten times their length in memory. */
export async function selectPlaylistText(connection: Connection, id: string): Promise<SmartPlaylistText | undefined> {
  const row = await connection.maybeOne(sql.type(PlaylistTextRow)`
    select ${fields}, rules::text as rules_text from smart_playlists where id = ${id}`)
  return row ?? undefined
}

/** Reads and locks one playlist: other changes wait until the transaction ends. */
export async function lockPlaylist(connection: Connection, id: string): Promise<SmartPlaylist | undefined> {
  const row = await connection.maybeOne(sql.type(PlaylistRow)`
    select ${columns} from smart_playlists where id = ${id} for update`)
  return row ?? undefined
}

export async function updatePlaylist(
  connection: Connection,
  row: ItemSelectionRules & { id: string; name: string; now: Date },
): Promise<SmartPlaylist> {
  return connection.one(sql.type(PlaylistRow)`
    update smart_playlists set name = ${row.name}, rules = ${JSON.stringify(row.rules)}::jsonb, item_limit = ${row.limit},
      sort_by = ${row.sortBy}, is_descending = ${row.isDescending}, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} returning ${columns}`)
}

/** Deletes it. Its collections keep their items and are then filled by hand. */
export async function deletePlaylistRecord(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from smart_playlists where id = ${id}`)
}

/** The number of characters of all rules of an account, as JSON. */
export async function sumRuleCharacters(connection: Connection, ownerId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select coalesce(sum(char_length(rules::text)), 0)::int as count from smart_playlists where owner_id = ${ownerId}`)
}
