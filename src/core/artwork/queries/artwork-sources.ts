import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { MediaItemType } from '../../catalogue/index.ts'
import { ARTWORK_KINDS, type ArtworkKind } from '../artwork-kind.ts'

const SourceRow = z.strictObject({
  ownerId: z.string(),
  kind: z.enum(ARTWORK_KINDS),
  /**
   * `edited`: uploaded by a person; `file`: a picture file; `inside`: embedded in a media file; `frame`: a frame of a film; `web`: at a
   * provider.
   */
  source: z.enum(['edited', 'file', 'inside', 'frame', 'web']),
  /** Changes with the picture. */
  stamp: z.string(),
  libraryId: z.string().nullable(),
  /** Path of the picture, or of the media file that contains it. */
  path: z.string().nullable(),
  /** For a film, the index of the stream that is the picture. */
  streamIndex: z.number().nullable(),
  /** Duration of the film that a frame is taken from. */
  durationSeconds: z.number().nullable(),
  url: z.string().nullable(),
  /** Hexadecimal SHA-256 of the fetched picture. */
  contentHash: z.string().nullable(),
})

/** The source of a picture. */
export type ArtworkSource = z.infer<typeof SourceRow>

const fileStamp: FragmentSqlToken = sql.fragment`i.modified_ns || ' ' || i.size_bytes || ' ' || i.path`

type SourceFilter = { kind?: ArtworkKind | undefined; types?: ReadonlySet<MediaItemType> | undefined }

/**
 * The picture of each kind of some owners. Priority: uploaded by a person, beside media, embedded, from a provider. One statement that
 * uses indexes on the ids, whichever table they belong to. With `types`, the types of all owners that are items with files, it reads only
 * the sources that these types can have.
 */
export async function selectArtworkSources(
  connection: Connection,
  ownerIds: readonly string[],
  filter: SourceFilter = {},
): Promise<ArtworkSource[]> {
  if (ownerIds.length === 0) return []
  const rows = await connection.any(sql.type(SourceRow)`
    ${foundOf(ownerIds, filter)}
    select owner_id, kind, source, stamp, library_id, path, stream_index, duration_seconds, url, encode(content_hash, 'hex') as content_hash
    from chosen`)
  return [...rows]
}

const { ownerId, kind, stamp } = SourceRow.shape

/** A picture, with a value that changes when the picture does. */
export type ArtworkStamp = Pick<ArtworkSource, 'ownerId' | 'kind' | 'stamp'>

const Stamps = z.strictObject({ stamps: z.array(z.tuple([ownerId, kind, stamp])) })

/**
 * Like `selectArtworkSources`, but only with the fields that an address needs. A list needs hundreds of stamps, and one aggregated value is read
 * faster than one row per picture.
 */
export async function selectArtworkStamps(
  connection: Connection,
  ownerIds: readonly string[],
  filter: SourceFilter = {},
): Promise<ArtworkStamp[]> {
  if (ownerIds.length === 0) return []
  const stamps = await connection.oneFirst(sql.type(Stamps)`
    ${foundOf(ownerIds, filter)}
    select coalesce(json_agg(json_build_array(owner_id, kind, stamp)), '[]') as stamps from chosen`)
  return stamps.map(([ownerId, kind, stamp]) => ({ ownerId, kind, stamp }))
}

/** `any` of the ids, which are sent once for all subqueries. */
const requestedIds: FragmentSqlToken = sql.fragment`((select ids from requested)::uuid[])`

function foundOf(ownerIds: readonly string[], { kind, types }: SourceFilter): FragmentSqlToken {
  return sql.fragment`
    with requested as materialized (select ${sql.array([...ownerIds], 'uuid')} as ids),
    items as materialized (
      select i.id, i.type, i.library_id, i.path, i.folder_hash, i.probe_error, i.duration_seconds, ${fileStamp} as stamp
      from media_items i where i.id = any ${requestedIds}
    ),
    chosen as (
      select distinct on (owner_id, kind) *
      from (
        ${sql.join(placesOf(types), sql.fragment` union all `)}
      ) as found (owner_id, kind, rank, source, stamp, library_id, path, stream_index, duration_seconds, url, content_hash)
      where ${kind === undefined ? sql.fragment`true` : sql.fragment`kind = ${kind}`}
      order by owner_id, kind, rank, path collate "C"
    )`
}

function placesOf(types: ReadonlySet<MediaItemType> | undefined): FragmentSqlToken[] {
  const isAmong = (...words: MediaItemType[]): boolean => types === undefined || words.some((word) => types.has(word))
  return [
    editedPosters,
    sidecarPictures,
    providerPictures,
    ...(isAmong('image') ? [photoFiles] : []),
    ...(isAmong('book') ? [bookCovers] : []),
    ...(isAmong('movie', 'episode', 'video') ? [attachedPictures, videoFrames] : []),
    ...(isAmong('audio') ? [trackCovers, albumCoversOfTracks] : []),
    ...(isAmong('audiobook') ? [audiobookCovers] : []),
    ...(types === undefined ? [albumCovers] : []),
  ]
}

/** Music and books are shown with a cover; there, both kinds denote the same picture. */
const editedPosters: FragmentSqlToken = sql.fragment`
  select i.id, k.kind, -1, 'edited', encode(p.content_hash, 'hex'), null::uuid, null::text, null::int4, null::float8, null::text, null::bytea
  from edited_posters p join items i on i.id = p.media_item_id
  cross join unnest(
    case when i.type in ('audio', 'audiobook', 'book') then array['poster', 'cover'] else array['poster'] end) as k (kind)
  where p.media_item_id = any ${requestedIds}`

/** `landscape.jpg` and `<episode>-thumb.jpg` show a scene. */
const sidecarPictures: FragmentSqlToken = sql.fragment`
  select s.media_item_id, case s.kind when 'thumb' then 'still' else s.kind end, 0, 'file',
    s.modified_ns || ' ' || s.size_bytes || ' ' || s.path, s.library_id, s.path, null::int4, null::float8, null::text, null::bytea
  from item_sidecars s
  where s.media_item_id = any ${requestedIds} and s.kind in ('poster', 'backdrop', 'logo', 'thumb')`

const providerPictures: FragmentSqlToken = sql.fragment`
  select p.owner_id, p.kind, 2, 'web', p.url, null::uuid, null::text, null::int4, null::float8, p.url, p.content_hash
  from provider_artwork p where p.owner_id = any ${requestedIds}`

/** A photo is its own picture. */
const photoFiles: FragmentSqlToken = sql.fragment`
  select i.id, 'poster', 1, 'file', i.stamp, i.library_id, i.path, null::int4, null::float8, null::text, null::bytea
  from items i where i.type = 'image' and i.path is not null and i.probe_error is null`

/** A scan has checked whether a book contains a cover. Of several formats the first with a cover represents all. */
const bookCovers: FragmentSqlToken = sql.fragment`
  select b.id, 'cover', 1, 'inside', i.stamp, i.library_id, i.path, null::int4, null::float8, null::text, null::bytea
  from items b
  cross join lateral (
    select ${fileStamp} as stamp, i.library_id, i.path from media_items i
    where (i.id = b.id or i.primary_id = b.id) and i.path is not null and i.missing_since is null and i.probe_error is null
      and exists (select from media_streams s where s.media_item_id = i.id and s.stream_type = 'attachment')
    order by i.role_order nulls first, i.path collate "C" limit 1
  ) i
  where b.type = 'book'`

/** Attached pictures of Matroska and MP4 appear as streams. */
const attachedPictures: FragmentSqlToken = sql.fragment`
  select i.id, case i.type when 'episode' then 'still' else 'poster' end, 1, 'inside', ${fileStamp}, i.library_id, i.path,
    s.stream_index, null::float8, null::text, null::bytea
  from media_streams s join media_items i on i.id = s.media_item_id
  where s.media_item_id = any ${requestedIds} and i.type in ('movie', 'episode', 'video') and s.stream_type = 'attachment'
    and s.codec in ('mjpeg', 'png', 'gif', 'bmp', 'webp', 'tiff')`

/** The frame that represents a film without a picture of the same shape. */
const videoFrames: FragmentSqlToken = sql.fragment`
  select i.id, 'still', 3, 'frame', i.stamp, i.library_id, i.path, null::int4, i.duration_seconds, null::text, null::bytea
  from items i
  where i.type in ('movie', 'episode', 'video') and i.path is not null and i.probe_error is null
    and exists (select from media_streams s where s.media_item_id = i.id and s.stream_type = 'video')`

/** Disc folders use the cover of the album folder above them. */
const parentFolder: FragmentSqlToken = sql.fragment`
  case when t.is_in_disc_folder then sha256(convert_to(regexp_replace(i.path, '/[^/]*/[^/]*$', ''), 'UTF8')) end`

const coverFile: FragmentSqlToken = sql.fragment`
  select c.path, c.modified_ns || ' ' || c.size_bytes || ' ' || c.path as stamp from music_covers c
  where c.library_id = i.library_id and c.folder_hash in (i.folder_hash, ${parentFolder})
  order by c.folder_hash <> i.folder_hash limit 1`

/** The cover file of the folder, or the picture embedded in the song. */
const trackCovers: FragmentSqlToken = sql.fragment`
  select i.id, 'cover', case when c.path is null then 1 else 0 end, case when c.path is null then 'inside' else 'file' end,
    coalesce(c.stamp, i.stamp), i.library_id, coalesce(c.path, i.path), null::int4, null::float8, null::text, null::bytea
  from items i join music_tracks t on t.media_item_id = i.id
  left join lateral (${coverFile}) c on true
  where i.type = 'audio' and (c.path is not null or t.picture_hash is not null)`

/** A song without a picture uses the picture of its album, which comes from another song or from a provider. */
const albumCoversOfTracks: FragmentSqlToken = sql.fragment`
  select t.media_item_id, 'cover', found.*
  from items song join music_tracks t on t.media_item_id = song.id
  cross join lateral (
    (
      select 3, 'inside', ${fileStamp}, i.library_id, i.path, null::int4, null::float8, null::text, null::bytea
      from music_tracks o join media_items i on i.id = o.media_item_id
      where o.album_id = t.album_id and o.picture_hash is not null
      order by o.disc_number, o.track_number, o.media_item_id limit 1
    )
    union all
    select 4, 'web', p.url, null, null, null, null, p.url, p.content_hash
    from provider_artwork p where p.owner_id = t.album_id and p.kind = 'cover'
  ) found
  where song.type = 'audio' and t.picture_hash is null`

/** The picture of an audiobook with several files comes from the first file that has a picture. */
const audiobookCovers: FragmentSqlToken = sql.fragment`
  select b.id, 'cover', 1, 'inside', i.stamp, i.library_id, i.path, null::int4, null::float8, null::text, null::bytea
  from items b
  cross join lateral (
    select ${fileStamp} as stamp, i.library_id, i.path from media_items i
    where (i.id = b.id or i.primary_id = b.id) and i.path is not null and i.missing_since is null
      and exists (select from media_streams s where s.media_item_id = i.id and s.stream_type = 'attachment')
    order by i.role_order nulls last, i.path collate "C" limit 1
  ) i
  where b.type = 'audiobook'`

/** The cover of an album comes from the first track that has a picture, in the order of discs. */
const albumCovers: FragmentSqlToken = sql.fragment`
  select a.id, 'cover', 1, found.source, found.stamp, found.library_id, found.path, null::int4, null::float8, null::text, null::bytea
  from music_albums a
  cross join lateral (
    select case when c.path is null then 'inside' else 'file' end as source, coalesce(c.stamp, ${fileStamp}) as stamp, i.library_id,
      coalesce(c.path, i.path) as path
    from music_tracks t join media_items i on i.id = t.media_item_id
    left join lateral (${coverFile}) c on true
    where t.album_id = a.id and (c.path is not null or t.picture_hash is not null)
    order by c.path is null, t.disc_number, t.track_number, t.media_item_id limit 1
  ) found
  where a.id = any ${requestedIds}`
