import { sql } from 'slonik'
import { z } from 'zod'
import type { Library } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { ThemeFileShape, type ThemeMedia } from './theme-media.ts'

const FolderRow = z.strictObject({ folder: z.string() })

const ThemeRow = z.strictObject({
  libraryId: z.string(),
  audio: ThemeFileShape.nullable(),
  video: ThemeFileShape.nullable(),
  scannedAt: z.date(),
})

/** Number of series folders that are searched. If the first folders contain no theme, the others are not expected to contain one. */
const MAX_SERIES = 500

export async function selectThemeMedia(connection: Connection, libraryId: string): Promise<ThemeMedia | undefined> {
  const row = await connection.maybeOne(sql.type(ThemeRow)`
    select library_id, audio, video, scanned_at from theme_media where library_id = ${libraryId}`)
  return row ?? undefined
}

/** Does nothing if the library was deleted meanwhile. */
export async function upsertThemeMedia(
  connection: Connection,
  { libraryId, audio, video, scannedAt }: ThemeMedia & { scannedAt: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into theme_media (library_id, audio, video, scanned_at)
    select id, ${jsonOf(audio)}::jsonb, ${jsonOf(video)}::jsonb, ${sql.timestamp(scannedAt)} from libraries where id = ${libraryId}
    on conflict (library_id) do update set audio = excluded.audio, video = excluded.video, scanned_at = excluded.scanned_at`)
}

export async function deleteThemeMedia(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from theme_media where library_id = ${libraryId}`)
}

/** The folders directly below a library folder that contain items, sorted: the folders of its series. */
export async function selectSeriesFolders(
  connection: Connection,
  { id, paths }: Pick<Library, 'id' | 'paths'>,
): Promise<string[]> {
  const folders = await connection.anyFirst(sql.type(FolderRow)`
    select distinct r.path || '/' || split_part(substr(i.path, length(r.path) + 2), '/', 1) as folder
    from media_items i
    join unnest(${sql.array([...paths], 'text')}) as r (path) on starts_with(i.path, r.path || '/')
    where i.library_id = ${id} and i.missing_since is null and strpos(substr(i.path, length(r.path) + 2), '/') > 0
    order by folder limit ${MAX_SERIES}`)
  return [...folders]
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
