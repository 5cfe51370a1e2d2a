import { hash, randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import { writeItems } from '../../src/core/catalogue/index.ts'
import { writeTracks, type MusicTrack } from '../../src/core/music/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import { makeLibrary } from './records.ts'

/** A song as a scan would write it; by default the first track of an album of its artist. */
export type SongSpec = {
  name: string
  artist?: string | null
  albumArtist?: string | null
  album?: string | null
  releaseId?: string
  disc?: number | null
  track?: number | null
  year?: number | null
  seconds?: number | null
  hasPicture?: boolean
}

/** Inserts songs in a separate music library; returns their ids in the same order. */
export async function makeSongs(db: Database, folder: string, songs: readonly SongSpec[]): Promise<string[]> {
  const library = await makeLibrary(db, folder, { name: `Music ${randomUUID()}`, type: 'music' })
  const paths = songs.map((_, index) => `${folder}/${index}.mp3`)
  const items = songs.map(({ name, seconds = 180 }, index) => ({
    libraryId: library.id,
    type: 'audio' as const,
    name,
    sortTitle: name,
    year: null,
    path: paths[index] ?? '',
    sizeBytes: 1000,
    modifiedAtNanoseconds: 1_700_000_000_000_000_000n,
    durationSeconds: seconds,
    container: 'mp3',
    bitrate: 128_000,
    metadata: {},
    probeError: null,
    canonicalKey: `${name} ${index}`,
    contentHash: null,
    chapters: [],
    streams: [],
  }))
  const written = await writeItems(db, items, new Date('2026-01-01T00:00:00Z'))
  const idOf = new Map(written.map(({ path, id }) => [path, id]))
  const ids = paths.map((path) => idOf.get(path) ?? '')
  const tracks = songs.map((song, index) => ({ itemId: ids[index] ?? '', ...trackOf(song) }))
  await writeTracks(db, { libraryId: library.id, tracks })
  return ids
}

function trackOf(song: SongSpec): MusicTrack {
  const { artist = 'Oscillator', album = 'Waves', disc = null, track = 1, year = null } = song
  const albumArtist = song.albumArtist === undefined ? artist : song.albumArtist
  return {
    artist,
    albumArtist: albumArtist === null ? null : { name: albumArtist, sortName: albumArtist },
    guessedArtist: null,
    album: album === null ? null : { name: album, sortName: album, releaseId: song.releaseId ?? null },
    discNumber: disc,
    trackNumber: track,
    year,
    isInDiscFolder: false,
    pictureHash: song.hasPicture === true ? hash('sha256', song.name, 'buffer') : null,
  }
}

/** Inserts one artist with a number of albums and a number of tracks on the first album directly into the tables. */
export async function makeManySongs(
  db: Database,
  { artist, albums, tracks }: { artist: string; albums: number; tracks: number },
): Promise<void> {
  await db.query(sql.unsafe`
    with artist as (
      insert into music_artists (library_id, name, sort_name)
      select id, ${artist}, ${artist} from libraries order by id limit 1 returning id, library_id
    ), albums as (
      insert into music_albums (artist_id, title, sort_title)
      select artist.id, title, title
      from artist, generate_series(1, ${albums}::int4) n, concat(${artist}::text, ' ', lpad(n::text, 5, '0')) title
      returning id, title
    ), items as (
      insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns, added_at,
        created_at, updated_at)
      select library_id, 'audio', title, title, '/many/' || title, sha256(title::bytea), sha256('/many'), 1, 1, now(), now(), now()
      from artist, generate_series(1, ${tracks}::int4) n, concat(${artist}::text, ' track ', lpad(n::text, 5, '0')) title
      returning id, name
    )
    insert into music_tracks (media_item_id, artist_id, album_id, artist, track_number, is_in_disc_folder)
    select i.id, artist.id, first.id, ${artist}, right(i.name, 5)::int4, false
    from artist, items i, (select id from albums order by title limit 1) first`)
}
