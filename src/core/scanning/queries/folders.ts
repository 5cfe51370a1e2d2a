import { sql } from 'slonik'
import { z } from 'zod'
import { pathHash } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'

const PathRow = z.strictObject({ path: z.string(), pathHash: z.instanceof(Buffer) })

const FolderRow = z.strictObject({ path: z.string(), listingHash: z.instanceof(Buffer), fileCount: z.number() })

/** The hash of a folder's listing at its last scan, and the number of media files in the folder. */
export type StoredFolder = z.infer<typeof FolderRow>

export type FolderWrite = { path: string; listingHash: Buffer; fileCount: number }

export async function selectStoredFolders(
  connection: Connection,
  { libraryId, paths }: { libraryId: string; paths: readonly string[] },
): Promise<StoredFolder[]> {
  const rows = await connection.any(sql.type(FolderRow)`
    select path, listing_hash, file_count from scan_folders
    where library_id = ${libraryId} and path_hash = any (${sql.array(paths.map(pathHash), 'bytea')})`)
  return [...rows]
}

export async function upsertFolders(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly FolderWrite[] },
): Promise<void> {
  if (folders.length === 0) return
  const rows = folders.map(({ path, listingHash, fileCount }) => [pathHash(path), path, listingHash, fileCount])
  await connection.query(sql.unsafe`
    insert into scan_folders as f (library_id, path_hash, path, listing_hash, file_count)
    select ${libraryId}::uuid, * from ${sql.unnest(rows, ['bytea', 'text', 'bytea', 'int4'])}
    on conflict (library_id, path_hash) do update set
      listing_hash = excluded.listing_hash, file_count = excluded.file_count`)
}

/** Invalidates folder listings, so that the next scan treats the folders as changed. */
export async function invalidateFolderListings(
  connection: Connection,
  { libraryId, pathHashes }: { libraryId: string; pathHashes: readonly Buffer[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    update scan_folders set listing_hash = ${sql.binary(Buffer.alloc(32))}
    where library_id = ${libraryId} and path_hash = any (${sql.array([...pathHashes], 'bytea')})`)
}

/** Returns a page of a library's folders, ordered by path hash. */
export async function selectFolderPage(
  connection: Connection,
  { libraryId, after, limit }: { libraryId: string; after: Buffer | null; limit: number },
): Promise<{ path: string; pathHash: Buffer }[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`path_hash > ${sql.binary(after)}`
  const rows = await connection.any(sql.type(PathRow)`
    select path, path_hash from scan_folders
    where library_id = ${libraryId} and ${isAfter} order by path_hash limit ${limit}`)
  return [...rows]
}

export async function deleteFolders(
  connection: Connection,
  { libraryId, paths }: { libraryId: string; paths: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from scan_folders
    where library_id = ${libraryId} and path_hash = any (${sql.array(paths.map(pathHash), 'bytea')})`)
}

/** Deletes all folder listings of a library, so that the next scan treats every folder as new. */
export async function deleteAllFolders(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from scan_folders where library_id = ${libraryId}`)
}
