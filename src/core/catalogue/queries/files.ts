import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { pathHash } from '../item/path-hash.ts'
import { lockedIdsArray } from './locked-ids.ts'

const FolderHashRow = z.strictObject({ folderHash: z.instanceof(Buffer) })

/** Nanoseconds since 1970 exceed the safe integers and are transferred as text. */
const Nanoseconds = z.string().transform((text) => BigInt(text))

const KnownFileRow = z.strictObject({
  id: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  modifiedAtNanoseconds: Nanoseconds,
  /** Whether a rescan has nothing to read again: the file was read once, or its type has no source profile. */
  hasSource: z.boolean(),
  isMissing: z.boolean(),
  /** Hash over the sidecar files that describe it; null if there were none. */
  sidecarHash: z.instanceof(Buffer).nullable(),
  role: z.enum(['version', 'part', 'extra']).nullable(),
  primaryId: z.string().nullable(),
  /** Whether an administrator merged the file into the item that it belongs to. This overrides file names. */
  isMerged: z.boolean(),
  /** Season number of an episode, as of the last scan. */
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  endingEpisodeNumber: z.number().nullable(),
  absoluteNumber: z.number().nullable(),
})

/** Pictures and books have no source profile to read, and for sound the duration is sufficient. */
const hasNoSource = sql.fragment`
  (type in ('image', 'photo', 'book') or type in ('audio', 'audiobook') and duration_seconds is not null)`

const knownFileColumns = sql.fragment`
  id, path, size_bytes, modified_ns::text as modified_at_nanoseconds, metadata ? 'source' or ${hasNoSource} as has_source,
  missing_since is not null as is_missing, sidecar_hash, role, primary_id, merged_into is not null as is_merged, season_number, episode_number, ending_episode_number,
  case jsonb_typeof(metadata -> 'absolute_number') when 'number' then (metadata ->> 'absolute_number')::double precision end
    as absolute_number`

/** What the catalogue knows about a file, enough to detect a change. */
export type KnownFile = z.infer<typeof KnownFileRow>

const FileLocationRow = z.strictObject({ id: z.string(), path: z.string().nullable(), libraryId: z.string() })

/** Path of the file of an item; `path` null for an item without a file. */
export type FileLocation = z.infer<typeof FileLocationRow>

const MissingFileRow = z.strictObject({ id: z.string(), path: z.string() })

export type MissingFile = z.infer<typeof MissingFileRow>

const MoveCandidateRow = z.strictObject({
  missingId: z.string(),
  missingPath: z.string(),
  foundId: z.string(),
  foundPath: z.string(),
  missingSince: z.date(),
  /** The groups that they are members of. */
  missingParentId: z.string().nullable(),
  foundParentId: z.string().nullable(),
  hasSameTime: z.boolean(),
  hasSameContent: z.boolean(),
})

/** A missing file and a new file with the same canonical key. */
export type MoveCandidate = z.infer<typeof MoveCandidateRow>

export async function selectFilesInFolders(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<KnownFile[]> {
  const rows = await connection.any(sql.type(KnownFileRow)`
    select ${knownFileColumns} from media_items
    where library_id = ${libraryId} and folder_hash = any (${sql.array(folders.map(pathHash), 'bytea')})`)
  return [...rows]
}

/** Hashes of the folders with a present file that has never been read, of the types that a rescan tries again. */
export async function selectFolderHashesOfUnreadFiles(connection: Connection, libraryId: string): Promise<Buffer[]> {
  const hashes = await connection.anyFirst(sql.type(FolderHashRow)`
    select distinct folder_hash from media_items
    where library_id = ${libraryId} and path is not null and not metadata ? 'source' and missing_since is null
      and not ${hasNoSource} and type in ('movie', 'video', 'episode', 'audio', 'audiobook')`)
  return [...hashes]
}

export async function updateMissingSince(
  connection: Connection,
  { ids, missingSince }: { ids: readonly string[]; missingSince: Date | null },
): Promise<void> {
  const since = missingSince === null ? sql.fragment`null` : sql.timestamp(missingSince)
  await connection.query(sql.unsafe`
    update media_items set missing_since = ${since}
    where id = any (${sql.array([...ids], 'uuid')}) and (missing_since is null) = ${missingSince !== null}`)
}

type FolderTree = { libraryId: string; below: string }

export async function selectFileCount(connection: Connection, { libraryId, below }: FolderTree): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items
    where library_id = ${libraryId} and path is not null and starts_with(path, ${`${below}/`})`)
}

export async function selectMissingFileCount(
  connection: Connection,
  { libraryId, below }: FolderTree,
): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items
    where library_id = ${libraryId} and missing_since is not null and starts_with(path, ${`${below}/`})`)
}

export async function existsFile(connection: Connection, { libraryId, below }: FolderTree): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from media_items where library_id = ${libraryId} and path is not null and starts_with(path, ${`${below}/`})`)
}

/** A sample of the present files at or below a folder, in no particular order. */
export async function selectFileSample(
  connection: Connection,
  { libraryId, below, limit }: { libraryId: string; below: string; limit: number },
): Promise<KnownFile[]> {
  const rows = await connection.any(sql.type(KnownFileRow)`
    select ${knownFileColumns} from media_items
    where library_id = ${libraryId} and missing_since is null and starts_with(path, ${`${below}/`}) limit ${limit}`)
  return [...rows]
}

export async function selectMissingFiles(
  connection: Connection,
  { libraryId, afterId, limit }: { libraryId: string; afterId: string | null; limit: number },
): Promise<MissingFile[]> {
  const isAfter = afterId === null ? sql.fragment`true` : sql.fragment`id > ${afterId}`
  const rows = await connection.any(sql.type(MissingFileRow)`
    select id, path from media_items
    where library_id = ${libraryId} and missing_since is not null and path is not null and ${isAfter}
    order by id limit ${limit}`)
  return [...rows]
}

/** The parts of a book belong to it without being its children. */
function groupOf(item: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`coalesce(${item}.parent_id, case ${item}.role when 'part' then ${item}.primary_id end)`
}

export async function selectMoveCandidates(
  connection: Connection,
  { libraryId, startedAt }: { libraryId: string; startedAt: Date },
): Promise<MoveCandidate[]> {
  // A file with a later time than the start of the job was missed before the clock was set back.
  const missedAt = sql.fragment`least(missing.missing_since, ${sql.timestamp(startedAt)})`
  // Missing files are few or none, which the planner does not know: without this hint it checks for each file whether it is missing.
  const rows = await connection.any(sql.type(MoveCandidateRow)`
    with missing as materialized (
      select * from media_items where library_id = ${libraryId} and missing_since is not null)
    select missing.id as missing_id, missing.path as missing_path, found.id as found_id, found.path as found_path,
      ${missedAt} as missing_since, ${groupOf(sql.fragment`missing`)} as missing_parent_id, ${groupOf(sql.fragment`found`)} as found_parent_id,
      missing.modified_ns = found.modified_ns as has_same_time,
      coalesce(missing.content_hash = found.content_hash, false) as has_same_content
    from missing
    join media_items found on found.library_id = missing.library_id and found.canonical_key = missing.canonical_key
      and found.type = missing.type and found.missing_since is null and found.added_at >= ${missedAt}
    order by missing.id, found.id`)
  return [...rows]
}

export async function deleteMissingItems(connection: Connection, ids: readonly string[]): Promise<number> {
  const isMeant = sql.fragment`i.id = any (${sql.array([...ids], 'uuid')}) and i.missing_since is not null`
  const result = await connection.query(sql.unsafe`
    delete from media_items where id = any (${lockedIdsArray(isMeant)})`)
  return result.rowCount
}

/** The locations of files, by item id. */
export async function selectFileLocations(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, FileLocation>> {
  const rows = await connection.any(sql.type(FileLocationRow)`
    select id, path, library_id from media_items where id = any (${sql.array([...ids], 'uuid')})`)
  return new Map(rows.map((place) => [place.id, place]))
}

const FileStampRow = z.strictObject({ id: z.string(), sizeBytes: z.number(), modifiedAtNanoseconds: z.string() })

/** The version of the file of an item. `modifiedAtNanoseconds` is decimal text, because it exceeds the safe integers. */
export type FileStamp = Omit<z.infer<typeof FileStampRow>, 'id'>

/** The versions of the files of items, as the last scan found them; items without a file are missing. */
export async function selectFileStamps(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, FileStamp>> {
  const rows = await connection.any(sql.type(FileStampRow)`
    select id, size_bytes, modified_ns::text as modified_at_nanoseconds
    from media_items where id = any (${sql.array([...ids], 'uuid')}) and path is not null`)
  return new Map(rows.map(({ id, ...stamp }) => [id, stamp]))
}

const SuccessorRow = z.strictObject({ fromId: z.string(), toId: z.string() })

/** For items that are about to be deleted: the first version of each that remains. Items without a remaining version are absent. */
export async function selectSuccessors(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly z.infer<typeof SuccessorRow>[]> {
  return connection.any(sql.type(SuccessorRow)`
    select distinct on (primary_id) primary_id as from_id, id as to_id from media_items
    where primary_id = any (${sql.array([...ids], 'uuid')}) and role = 'version' and id <> all (${sql.array([...ids], 'uuid')})
    order by primary_id, role_order, id`)
}

const IdOfPathRow = z.strictObject({ id: z.string(), path: z.string() })

export async function selectIdsByPath(
  connection: Connection,
  { libraryId, paths }: { libraryId: string; paths: readonly string[] },
): Promise<readonly z.infer<typeof IdOfPathRow>[]> {
  return connection.any(sql.type(IdOfPathRow)`
    select id, path from media_items
    where library_id = ${libraryId} and path_hash = any (${sql.array(paths.map(pathHash), 'bytea')})`)
}
