import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Page } from '../../catalogue/index.ts'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import type { Album } from '../album.ts'
import type { Track } from '../track.ts'
import { albumYear, trackColumns, TrackRow } from './tracks.ts'
import { containsWords } from './words.ts'

/** Albums of all artists, or of all artists with one name: several libraries may have them. */
function albumsOf(artist: string | null): FragmentSqlToken {
  if (artist === null) return sql.fragment`music_albums a`
  return sql.fragment`
    music_artists r join music_albums a on a.artist_id = r.id and r.name_key = case_fold(${artist}) collate "C"`
}

export async function countAlbums(connection: Connection, artist: string | null): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) from ${albumsOf(artist)}`)
}

export async function selectAlbumIds(
  connection: Connection,
  { artist, limit, offset }: Page & { artist: string | null },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select a.id from ${albumsOf(artist)} order by a.sort_key, a.id limit ${limit} offset ${offset}`)
  return [...ids]
}

/** The albums whose titles and artists together contain all words; those that begin with the first word are preferred. Reads all albums. */
export async function searchAlbumIds(
  connection: Connection,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select a.id from music_albums a join music_artists r on r.id = a.artist_id
    where ${containsWords(sql.fragment`(a.title_key || ' ' || r.name_key)`, words)}
    order by starts_with(a.title_key, case_fold(${words[0] ?? ''})) desc, a.sort_key, a.id limit ${limit}`)
  return [...ids]
}

/** Returns the id of the album with this title and artist; if there are several, always the same one. */
export async function findAlbum(
  connection: Connection,
  { title, artist }: { title: string; artist: string | null },
): Promise<string | undefined> {
  const ofArtist = artist === null ? sql.fragment`` : sql.fragment`and r.name_key = case_fold(${artist}) collate "C"`
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    select a.id from music_albums a join music_artists r on r.id = a.artist_id
    where a.title_key = case_fold(${title}) collate "C" ${ofArtist}
    order by r.sort_key, a.sort_key, a.id limit 1`)
  return id ?? undefined
}

const NamedRow = z.strictObject({ id: z.string(), title: z.string(), artist: z.string() })

/** The albums with this title, or with this text as `artist/title`, ignoring case. The second reads all albums. */
export async function selectAlbumsNamed(
  connection: Connection,
  { name, limit }: { name: string; limit: number },
): Promise<readonly z.infer<typeof NamedRow>[]> {
  const ofArtist = name.includes('/')
    ? sql.fragment`or (r.name_key || '/' || a.title_key) collate "C" = case_fold(${name}) collate "C"`
    : sql.fragment``
  return connection.any(sql.type(NamedRow)`
    select a.id, a.title, r.name as artist from music_albums a join music_artists r on r.id = a.artist_id
    where a.title_key = case_fold(${name}) collate "C" ${ofArtist}
    order by r.sort_key, a.sort_key, a.id limit ${limit}`)
}

const AlbumRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  artist: z.string(),
  year: z.number().nullable(),
  trackCount: z.number(),
  metadata: z.record(z.string(), z.unknown()),
})

/** The albums with these ids, in the order of the ids. */
export async function selectAlbums(
  connection: Connection,
  { ids, tracks: limit }: { ids: readonly string[]; tracks: number },
): Promise<Album[]> {
  if (ids.length === 0) return []
  const albums = await connection.any(sql.type(AlbumRow)`
    select a.id, a.title as name, r.name as artist, ${albumYear} as year,
      (select count(*) from music_tracks n where n.album_id = a.id) as track_count, a.metadata
    from unnest(${sql.array([...ids], 'uuid')}) with ordinality as v (id, position)
    join music_albums a on a.id = v.id join music_artists r on r.id = a.artist_id
    order by v.position`)
  const tracks = await selectTracksOf(connection, { ids, limit })
  return albums.map(({ id, name, artist, year, trackCount, metadata }) => {
    return { id, name, artist, year, trackCount, metadata, tracks: tracksOf(tracks.get(id) ?? [], year) }
  })
}

function tracksOf(rows: readonly z.infer<typeof AlbumTrackRow>[], year: number | null): Track[] {
  return rows.map(({ albumId: _albumId, ...track }) => Object.assign(track, { year }))
}

const AlbumTrackRow = TrackRow.omit({ year: true }).extend({ albumId: z.string() })

/** The first tracks of each album. */
async function selectTracksOf(
  connection: Connection,
  { ids, limit }: { ids: readonly string[]; limit: number },
): Promise<Map<string, z.infer<typeof AlbumTrackRow>[]>> {
  const rows = await connection.any(sql.type(AlbumTrackRow)`
    select a.id as album_id, ${trackColumns}
    from unnest(${sql.array([...ids], 'uuid')}) as v (id)
    join music_albums a on a.id = v.id join music_artists r on r.id = a.artist_id
    cross join lateral (
      select * from music_tracks t where t.album_id = a.id
      order by t.disc_number, t.track_number, t.media_item_id limit ${limit}
    ) t
    join media_items i on i.id = t.media_item_id
    order by a.id, t.disc_number, t.track_number, t.media_item_id`)
  return Map.groupBy(rows, ({ albumId }) => albumId)
}
