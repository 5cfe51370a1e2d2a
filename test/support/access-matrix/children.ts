import { sql } from 'slonik'
import type { Database } from '../../../src/core/platform/database/index.ts'
import type { Kind, Planted } from '../access-canaries.ts'

/** Items of a world by kind. */
export type ByKind = Record<Kind, Planted>

type Child = {
  libraryId: string
  type: string
  name: string
  rating: string
  tag: string
  genre: string
  parentId?: string
  /** Of the item that an extra or a version belongs to. */
  primaryId?: string
  role?: 'extra' | 'version'
  season?: number
  episode?: number
}

async function plantChild(db: Database, child: Child): Promise<string> {
  const { libraryId, type, name, rating, tag, genre, parentId = null, primaryId = null, role = null } = child
  const isGroup = type === 'season'
  const path = isGroup ? null : `/srv/${name}.mkv`
  const metadata = {
    rating,
    tags: [tag],
    genres: [genre],
    actors: [`${name} actor`],
    cast: [{ name: `${name} actor`, role: '' }],
  }
  const id = String(
    await db.oneFirst(sql.unsafe`
      insert into media_items (library_id, parent_id, primary_id, role, type, name, sort_title, year, season_number, episode_number, path, path_hash,
        folder_hash, size_bytes, modified_ns, duration_seconds, container, chapters, metadata, group_key, added_at, created_at, updated_at)
      values (${libraryId}, ${parentId}, ${primaryId}, ${role}, ${type}, ${name}, ${name}, 1999, ${child.season ?? null}, ${child.episode ?? null},
        ${path}, sha256(${path}::bytea), ${isGroup ? null : sql.fragment`sha256('folder'::bytea)`}, ${isGroup ? null : 1000}, ${isGroup ? null : 1000},
        ${isGroup ? null : 100}, ${isGroup ? null : 'mkv'}, '[]', ${sql.jsonb(metadata)}, ${isGroup ? name : null}, now(), now(), now())
      returning id`),
  )
  await db.query(sql.unsafe`
    insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
    values (${id}, sha256(${`${id} poster`}::bytea), ${libraryId}, sha256('folder'::bytea), 'poster', ${`/srv/${name}.jpg`}, 10, 10)`)
  if (!isGroup) {
    await db.query(sql.unsafe`
      insert into media_markers (media_item_id, type, start_ms, end_ms, source, confidence, created_at)
      values (${id}, 'intro', 0, 1000, 'manual', 1, now())`)
  }
  return id
}

/** The first and the third episode of the season: what follows the first is the third, if the second is hidden. */
export async function plantOpenEpisodes(db: Database, { series }: ByKind, word: string): Promise<string[]> {
  const common = {
    libraryId: series.libraryId,
    type: 'episode',
    rating: 'G',
    tag: `${word} tag`,
    genre: `${word} genre`,
    season: 1,
  }
  const ids = []
  for (const episode of [1, 3])
    ids.push(await plantChild(db, { ...common, name: `${word} episode ${episode}`, parentId: series.childId, episode }))
  return ids
}

/**
 * Plants hidden things below visible ones: an episode and a season of a series, an extra and a version of a film, a track of an album, a photo of
 * a day, and members of collections.
 * @returns the ids of the items
 */
export async function plantHiddenChildren(
  db: Database,
  open: ByKind,
  { word, openWord, ownerId, day }: { word: string; openWord: string; ownerId: string; day: number },
): Promise<string[]> {
  const common = { rating: 'NC-17', tag: `${word} tag`, genre: `${openWord} genre` }
  const { series, movie, music, photo, book, audiobook, video } = open
  const inSeries = { ...common, libraryId: series.libraryId }
  const season = await plantChild(db, {
    ...inSeries,
    type: 'season',
    name: `${word} season`,
    parentId: series.itemId,
    season: 2,
  })
  const episodes = [
    await plantChild(db, {
      ...inSeries,
      type: 'episode',
      name: `${word} second`,
      parentId: series.childId,
      season: 1,
      episode: 2,
    }),
    await plantChild(db, {
      ...inSeries,
      type: 'episode',
      name: `${word} last`,
      parentId: series.childId,
      season: 1,
      episode: 4,
    }),
    await plantChild(db, {
      ...inSeries,
      type: 'episode',
      name: `${word} below`,
      parentId: season,
      season: 2,
      episode: 1,
    }),
  ]
  const ofFilm = { ...common, libraryId: movie.libraryId, primaryId: movie.itemId }
  const films = [
    await plantChild(db, { ...ofFilm, type: 'video', role: 'extra', name: `${word} trailer` }),
    await plantChild(db, { ...ofFilm, type: 'movie', role: 'version', name: `${word} version` }),
    await plantChild(db, { ...common, libraryId: movie.libraryId, type: 'movie', name: `${word} film` }),
  ]
  const track = await plantChild(db, { ...common, libraryId: music.libraryId, type: 'audio', name: `${word} track` })
  await db.query(sql.unsafe`
    insert into music_tracks (media_item_id, artist_id, album_id, artist, track_number, is_in_disc_folder)
    values (${track}, ${music.artistId}, ${music.albumId}, ${`${word} performer`}, 0, false)`)
  const picture = await plantChild(db, { ...common, libraryId: photo.libraryId, type: 'image', name: `${word} photo` })
  // The first one of the day would be the cover of the album.
  await db.query(sql.unsafe`
    insert into photos (media_item_id, library_id, orientation, taken_at, taken_local, time_source, exif, is_listed)
    values (${picture}, ${photo.libraryId}, 1, ${day * 86_400 - 1}, to_timestamp(${day * 86_400}) at time zone 'UTC' - interval '0 second', 'name',
      '{}', true)`)
  const others = []
  for (const { libraryId, type } of [
    { libraryId: book.libraryId, type: 'book' },
    { libraryId: audiobook.libraryId, type: 'audiobook' },
    { libraryId: video.libraryId, type: 'video' },
  ])
    others.push(await plantChild(db, { ...common, libraryId, type, name: `${word} ${type}` }))
  for (const { collectionId, libraryId } of Object.values(open)) {
    const all = [...episodes, ...films, track, picture, ...others]
    await db.query(sql.unsafe`
      insert into collection_items (collection_id, media_item_id, sort_order, added_at)
      select ${collectionId}, i.id, -1, now() from media_items i where i.library_id = ${libraryId} and i.id = any (${sql.array(all, 'uuid')})`)
    await db.query(sql.unsafe`
      with below as (
        insert into collections (name, library_id, owner_id, parent_id, sort_order, created_at, updated_at)
        values (${`${word} collection`}, ${libraryId}, ${ownerId}, ${collectionId}, 0, now(), now()) returning id)
      insert into collection_items (collection_id, media_item_id, sort_order, added_at)
      select below.id, i.id, 0, now() from below, media_items i where i.library_id = ${libraryId} and i.id = any (${sql.array(all, 'uuid')})`)
  }
  return [season, ...episodes, ...films, track, picture, ...others]
}
