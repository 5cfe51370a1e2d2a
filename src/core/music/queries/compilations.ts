import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { VARIOUS_ARTISTS, type SortedName } from '../music-track.ts'

const MisplacedRow = z.strictObject({
  itemId: z.string(),
  /** The artist that the album should belong to. */
  artist: z.string(),
  title: z.string(),
  sortName: z.string(),
  releaseId: z.string().nullable(),
})

/** A song whose album belongs to another artist than the current one. */
export type MisplacedTrack = z.infer<typeof MisplacedRow>

/** Reads the songs of the library without an album artist once. */
export async function selectMisplacedTracks(connection: Connection, libraryId: string): Promise<MisplacedTrack[]> {
  const rows = await connection.any(sql.type(MisplacedRow)`
    with guessed as (
      select t.media_item_id, t.guessed_artist, case_fold(t.guessed_artist) as guessed_key, r.name_key, a.title, a.sort_title,
        a.title_key, a.release_id,
        case when t.is_in_disc_folder then sha256(convert_to(regexp_replace(i.path, '/[^/]*/[^/]*$', ''), 'UTF8'))
          else i.folder_hash end as place
      from music_artists r join music_albums a on a.artist_id = r.id join music_tracks t on t.album_id = a.id
      join media_items i on i.id = t.media_item_id
      where r.library_id = ${libraryId} and t.guessed_artist is not null
    ), compared as (
      select *, first_value(guessed_artist) over shortest_first as shortest, first_value(guessed_key) over shortest_first as shortest_key
      from guessed
      window shortest_first as (
        partition by place, title_key, release_id order by char_length(guessed_key), guessed_artist collate "C")
    ), judged as (
      select *, bool_and(starts_with(guessed_key, shortest_key) and substr(guessed_key, char_length(shortest_key) + 1, 1) !~ '[[:alnum:]]')
        over (partition by place, title_key, release_id) as is_of_one
      from compared
    )
    select media_item_id as item_id, case when is_of_one then shortest else ${VARIOUS_ARTISTS} end as artist, title,
      sort_title as sort_name, release_id
    from judged
    where name_key <> case when is_of_one then shortest_key else case_fold(${VARIOUS_ARTISTS}) end`)
  return [...rows]
}

/** Existing artists keep their names. */
export async function insertMissingArtists(
  connection: Connection,
  { libraryId, artists }: { libraryId: string; artists: readonly SortedName[] },
): Promise<void> {
  const rows = artists.map(({ name, sortName }) => [name, sortName])
  await connection.query(sql.unsafe`
    insert into music_artists (library_id, name, sort_name)
    select ${libraryId}::uuid, v.name, v.sort_name from ${sql.unnest(rows, ['text', 'text'])} as v (name, sort_name)
    on conflict (library_id, name_key) do nothing`)
}

/** Must follow the insertion of artists and albums. */
export async function moveTracks(
  connection: Connection,
  { libraryId, tracks }: { libraryId: string; tracks: readonly MisplacedTrack[] },
): Promise<void> {
  const rows = tracks.map(({ itemId, artist, title, releaseId }) => [itemId, artist, title, releaseId])
  await connection.query(sql.unsafe`
    update music_tracks t set artist_id = r.id, album_id = a.id
    from ${sql.unnest(rows, ['uuid', 'text', 'text', 'uuid'])} as v (item_id, artist, title, release_id)
    join music_artists r on r.library_id = ${libraryId} and r.name_key = case_fold(v.artist) collate "C"
    join music_albums a on a.artist_id = r.id and a.title_key = case_fold(v.title) collate "C"
      and a.release_id is not distinct from v.release_id
    where t.media_item_id = v.item_id`)
}
