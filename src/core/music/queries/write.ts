import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import type { MusicTrack, SortedName } from '../music-track.ts'

/** `artist`: the name of the album's artist. */
export type AlbumRow = SortedName & { artist: string; releaseId: string | null }

export type TrackRow = Pick<
  MusicTrack,
  'guessedArtist' | 'discNumber' | 'trackNumber' | 'year' | 'isInDiscFolder' | 'pictureHash'
> & {
  itemId: string
  performer: string | null
  artist: SortedName | null
  album: AlbumRow | null
}

export type CoverRow = { folderHash: Buffer; path: string; sizeBytes: number; modifiedAtNanoseconds: bigint }

/** Names that differ only in case become one row with one of the spellings. */
export async function upsertArtists(
  connection: Connection,
  { libraryId, artists }: { libraryId: string; artists: readonly SortedName[] },
): Promise<void> {
  const rows = artists.map(({ name, sortName }) => [name, sortName])
  await connection.query(sql.unsafe`
    insert into music_artists as r (library_id, name, sort_name)
    select distinct on (case_fold(v.name) collate "C") ${libraryId}::uuid, v.name, v.sort_name
    from ${sql.unnest(rows, ['text', 'text'])} as v (name, sort_name)
    order by case_fold(v.name) collate "C", v.name
    on conflict (library_id, name_key) do update set name = excluded.name, sort_name = excluded.sort_name
    where (r.name, r.sort_name) is distinct from (excluded.name, excluded.sort_name)`)
}

/** Must follow the artists. */
export async function upsertAlbums(
  connection: Connection,
  { libraryId, albums }: { libraryId: string; albums: readonly AlbumRow[] },
): Promise<void> {
  const rows = albums.map(({ artist, name, sortName, releaseId }) => [artist, name, sortName, releaseId])
  await connection.query(sql.unsafe`
    insert into music_albums as a (artist_id, title, sort_title, release_id)
    select distinct on (r.id, case_fold(v.title) collate "C", v.release_id) r.id, v.title, v.sort_title, v.release_id
    from ${sql.unnest(rows, ['text', 'text', 'text', 'uuid'])} as v (artist, title, sort_title, release_id)
    join music_artists r on r.library_id = ${libraryId} and r.name_key = case_fold(v.artist) collate "C"
    order by r.id, case_fold(v.title) collate "C", v.release_id, v.title
    on conflict (artist_id, title_key, release_id) do update set title = excluded.title, sort_title = excluded.sort_title
    where (a.title, a.sort_title) is distinct from (excluded.title, excluded.sort_title)`)
}

/** Must follow artists and albums. */
export async function upsertTracks(
  connection: Connection,
  { libraryId, tracks }: { libraryId: string; tracks: readonly TrackRow[] },
): Promise<void> {
  const rows = tracks.map((track) => [
    track.itemId,
    track.artist?.name ?? null,
    track.album?.name ?? null,
    track.album?.releaseId ?? null,
    track.performer,
    track.discNumber,
    track.trackNumber,
    track.year,
    track.isInDiscFolder,
    track.pictureHash,
    track.guessedArtist,
  ])
  const types = ['uuid', 'text', 'text', 'uuid', 'text', 'int4', 'int4', 'int4', 'bool', 'bytea', 'text'] as const
  await connection.query(sql.unsafe`
    insert into music_tracks
      (media_item_id, artist_id, album_id, artist, disc_number, track_number, year, is_in_disc_folder, picture_hash,
       guessed_artist)
    select v.item_id, r.id, a.id, v.performer, v.disc_number, v.track_number, v.year, v.is_in_disc_folder, v.picture_hash,
      v.guessed_artist
    from ${sql.unnest(rows, [...types])}
      as v (item_id, artist, album, release_id, performer, disc_number, track_number, year, is_in_disc_folder, picture_hash,
        guessed_artist)
    left join music_artists r on r.library_id = ${libraryId} and r.name_key = case_fold(v.artist) collate "C"
    left join music_albums a on a.artist_id = r.id and a.title_key = case_fold(v.album) collate "C"
      and a.release_id is not distinct from v.release_id
    on conflict (media_item_id) do update set
      artist_id = excluded.artist_id, album_id = excluded.album_id, artist = excluded.artist,
      disc_number = excluded.disc_number, track_number = excluded.track_number, year = excluded.year,
      is_in_disc_folder = excluded.is_in_disc_folder, picture_hash = excluded.picture_hash,
      guessed_artist = excluded.guessed_artist`)
}

/** The folders must be known to the scan. */
export async function replaceCovers(
  connection: Connection,
  {
    libraryId,
    folderHashes,
    covers,
  }: { libraryId: string; folderHashes: readonly Buffer[]; covers: readonly CoverRow[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from music_covers
    where library_id = ${libraryId} and folder_hash = any (${sql.array([...folderHashes], 'bytea')})`)
  if (covers.length === 0) return
  const rows = covers.map(({ folderHash, path, sizeBytes, modifiedAtNanoseconds }) => [
    folderHash,
    path,
    sizeBytes,
    modifiedAtNanoseconds,
  ])
  await connection.query(sql.unsafe`
    insert into music_covers (library_id, folder_hash, path, size_bytes, modified_ns)
    select ${libraryId}::uuid, * from ${sql.unnest(rows, ['bytea', 'text', 'int8', 'int8'])}`)
}

/** Albums are deleted before artists, because an artist may have had only empty albums. */
export async function deleteEmptyAlbums(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    delete from music_albums a using music_artists r
    where r.id = a.artist_id and r.library_id = ${libraryId}
      and not exists (select from music_tracks t where t.album_id = a.id)`)
  await connection.query(sql.unsafe`
    delete from music_artists r
    where r.library_id = ${libraryId}
      and not exists (select from music_tracks t where t.artist_id = r.id)`)
}

/** Moves the track row of an item to another item, which may already have a row. */
export async function transferTrack(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from music_tracks
    where media_item_id = ${toId} and exists (select from music_tracks where media_item_id = ${fromId})`)
  await connection.query(sql.unsafe`update music_tracks set media_item_id = ${toId} where media_item_id = ${fromId}`)
}
