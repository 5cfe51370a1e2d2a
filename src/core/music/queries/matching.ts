import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { postgresSafeJson } from '../../catalogue/index.ts'
import type { MatchScope } from '../../metadata/index.ts'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { MatchableAlbum } from '../album.ts'
import { albumYear } from './tracks.ts'

type VisitRange = { libraryId: string; visit: MatchScope; after: string | null }

const AlbumRow = z.strictObject({
  id: z.string(),
  artistId: z.string(),
  title: z.string(),
  artist: z.string(),
  releaseId: z.string().nullable(),
  year: z.number().nullable(),
  isArtistKnown: z.boolean(),
})

/** `unmatched`: no refresh time; `bare`: additionally no metadata. */
function whereOf({ libraryId, visit, after }: VisitRange): FragmentSqlToken {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`a.id > ${after}`
  const isVisited = {
    all: sql.fragment`true`,
    unmatched: sql.fragment`a.metadata_refreshed_at is null`,
    bare: sql.fragment`a.metadata_refreshed_at is null and a.metadata = '{}'`,
  }[visit]
  return sql.fragment`r.library_id = ${libraryId} and ${isAfter} and ${isVisited}`
}

export async function countMatchableAlbums(connection: Connection, place: VisitRange): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from music_albums a join music_artists r on r.id = a.artist_id where ${whereOf(place)}`)
}

export async function selectMatchableAlbums(
  connection: Connection,
  { limit, ...place }: VisitRange & { limit: number },
): Promise<MatchableAlbum[]> {
  const rows = await connection.any(sql.type(AlbumRow)`
    select a.id, r.id as artist_id, a.title, r.name as artist, a.release_id, ${albumYear} as year,
      r.metadata_refreshed_at is not null as is_artist_known
    from music_albums a join music_artists r on r.id = a.artist_id where ${whereOf(place)} order by a.id limit ${limit}`)
  return [...rows]
}

type Write = { id: string; metadata: Record<string, unknown>; now: Date }

/** @returns whether the album still exists */
export async function updateAlbumFacts(connection: Connection, { id, metadata, now }: Write): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update music_albums set metadata = ${postgresSafeJson(metadata)}::jsonb, metadata_refreshed_at = ${sql.timestamp(now)}
    where id = ${id}`)
  return rowCount > 0
}

export async function updateArtistFacts(connection: Connection, { id, metadata, now }: Write): Promise<void> {
  await connection.query(sql.unsafe`
    update music_artists set metadata = ${postgresSafeJson(metadata)}::jsonb, metadata_refreshed_at = ${sql.timestamp(now)}
    where id = ${id}`)
}

/** Removes the data of providers from the albums and artists of a library. */
export async function clearMusicProviderFacts(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update music_albums a set metadata = '{}', metadata_refreshed_at = null
    from music_artists r
    where r.id = a.artist_id and r.library_id = ${libraryId} and (a.metadata_refreshed_at is not null or a.metadata <> '{}')`)
  await connection.query(sql.unsafe`
    update music_artists set metadata = '{}', metadata_refreshed_at = null
    where library_id = ${libraryId} and (metadata_refreshed_at is not null or metadata <> '{}')`)
}
