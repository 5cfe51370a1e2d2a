import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import type { Database } from '../../src/core/platform/database/index.ts'

/** The type of a library and of the items that it lists. */
export const KINDS = {
  movie: 'movie',
  series: 'series',
  music: 'audio',
  photo: 'image',
  book: 'book',
  audiobook: 'audiobook',
  video: 'video',
} as const

export type Kind = keyof typeof KINDS

/** The ids of what was planted for one kind. */
export type Planted = {
  libraryId: string
  itemId: string
  childId: string
  extraId: string
  artistId: string
  albumId: string
  artistName: string
  albumName: string
  collectionId: string
  playlistId: string
  jobId: string
}

type Options = {
  /** Stands in every text of what is planted. */
  word: string
  /** Stands in the name and the path of a new library; by default `word`. */
  shelfWord?: string
  /** The content rating of the items. */
  rating: string
  /** An existing library; by default a new one. */
  libraryId?: string
  /** The account that collections and smart playlists belong to. */
  ownerId: string
  day: number
}

let count = 0

/** Plants a library, or only its items: a top item, one below it, an extra, and everything that names them, with the word in each text. */
export async function plant(db: Database, kind: Kind, options: Options): Promise<Planted> {
  const { word, ownerId } = options
  const libraryId = options.libraryId ?? (await plantLibrary(db, kind, options.shelfWord ?? word))
  const itemId = await plantItem(db, { kind, libraryId, name: `${word} top ${kind}`, options })
  const below = {
    movie: 'movie',
    series: 'season',
    music: 'audio',
    photo: 'image',
    book: 'book',
    audiobook: 'audiobook',
    video: 'video',
  }[kind]
  const childId = await plantItem(db, {
    kind,
    libraryId,
    name: `${word} below ${kind}`,
    options,
    type: below,
    parentId: kind === 'series' ? itemId : null,
  })
  const extraId = await plantItem(db, {
    kind,
    libraryId,
    name: `${word} extra ${kind}`,
    options,
    type: 'video',
    primaryId: itemId,
  })
  const artistName = `${word} artist ${kind}`
  const albumName = `${word} album ${kind}`
  const artistId = await idOf(
    db,
    sql.unsafe`insert into music_artists (library_id, name, sort_name) values (${libraryId}, ${artistName}, ${artistName}) returning id`,
  )
  const albumId = await idOf(
    db,
    sql.unsafe`insert into music_albums (artist_id, title, sort_title) values (${artistId}, ${albumName}, ${albumName}) returning id`,
  )
  for (const id of [itemId, childId])
    await plantBeside(db, { id, libraryId, word, artistId, albumId, kind, day: options.day })
  const playlistId = await idOf(
    db,
    sql.unsafe`
    insert into smart_playlists (name, library_id, owner_id, rules, item_limit, sort_by, is_descending, created_at, updated_at)
    values (${`${word} playlist`}, ${libraryId}, ${ownerId}, ${sql.jsonb({ logic: 'and', rules: [{ field: 'genre', op: 'contains', value: word }] })}, 0, 'title', false, now(), now()) returning id`,
  )
  const collectionId = await idOf(
    db,
    sql.unsafe`
    insert into collections (name, library_id, owner_id, smart_playlist_id, sort_order, created_at, updated_at)
    values (${`${word} collection ${kind}`}, ${libraryId}, ${ownerId}, null, 0, now(), now()) returning id`,
  )
  await db.query(
    sql.unsafe`insert into collection_items (collection_id, media_item_id, sort_order, added_at) values (${collectionId}, ${itemId}, 0, now())`,
  )
  const jobId = randomUUID()
  await db.query(sql.unsafe`
    insert into transcode_jobs (id, media_item_id, profile, status, created_at, last_used_at) values (${jobId}, ${itemId}, 'web', 'running', now(), now())`)
  return {
    libraryId,
    itemId,
    childId,
    extraId,
    artistId,
    albumId,
    artistName,
    albumName,
    collectionId,
    playlistId,
    jobId,
  }
}

async function plantLibrary(db: Database, kind: Kind, word: string): Promise<string> {
  const id = await idOf(
    db,
    sql.unsafe`
    insert into libraries (name, type, created_at, updated_at) values (${`${word} library ${kind}`}, ${kind}, now(), now()) returning id`,
  )
  await db.query(
    sql.unsafe`insert into library_roots (library_id, position, path) values (${id}, 0, ${`/srv/${word}/${kind}`})`,
  )
  await db.query(sql.unsafe`
    insert into theme_media (library_id, audio, scanned_at)
    values (${id}, ${sql.jsonb({ path: `/srv/${word}/${kind}/theme.mp3`, durationSeconds: 10, width: null, height: null, format: 'mp3' })}, now())`)
  return id
}

type Item = {
  kind: Kind
  libraryId: string
  name: string
  options: Options
  type?: string
  parentId?: string | null
  primaryId?: string
}

async function plantItem(
  db: Database,
  { kind, libraryId, name, options, type = KINDS[kind], parentId = null, primaryId }: Item,
): Promise<string> {
  const { word, rating } = options
  count += 1
  const path = `/srv/${word}/${kind}/${word} ${count}.mkv`
  const isGroup = type === 'series' || type === 'season'
  const metadata = {
    rating,
    genres: [`${word} genre`],
    actors: [`${word} actor`],
    cast: [{ name: `${word} actor`, role: `${word} role` }],
    director: `${word} director`,
    authors: [`${word} author`],
    author: `${word} author`,
    narrator: `${word} narrator`,
    artist: `${word} artist`,
    album: `${word} album`,
    production_companies: [{ name: `${word} company` }],
    tags: [`${word} tag`],
    overview: `${word} overview`,
    collection: { id: word, name: `${word} set` },
    external_ids: { tmdb: word },
  }
  return idOf(
    db,
    sql.unsafe`
    insert into media_items (library_id, parent_id, primary_id, role, type, name, sort_title, year, path, path_hash, folder_hash, size_bytes, modified_ns,
      duration_seconds, container, chapters, metadata, group_key, added_at, created_at, updated_at)
    values (${libraryId}, ${parentId}, ${primaryId ?? null}, ${primaryId === undefined ? null : 'extra'}, ${type}, ${name}, ${name}, ${1900 + (count % 100)},
      ${isGroup ? null : path}, ${isGroup ? null : sql.fragment`sha256(${path}::bytea)`}, ${isGroup ? null : sql.fragment`sha256('folder'::bytea)`},
      ${isGroup ? null : 1000}, ${isGroup ? null : 1000}, 100, 'mkv', ${sql.jsonb([{ title: `${word} chapter`, startSeconds: 0, endSeconds: 10 }])},
      ${sql.jsonb(metadata)}, ${isGroup ? name : null}, now(), now(), now()) returning id`,
  )
}

type Beside = {
  id: string
  libraryId: string
  word: string
  artistId: string
  albumId: string
  kind: Kind
  day: number
}

async function plantBeside(db: Database, { id, libraryId, word, artistId, albumId, kind, day }: Beside): Promise<void> {
  await db.query(sql.unsafe`
    insert into media_streams (media_item_id, stream_index, stream_type, codec, language, title)
    values (${id}, 0, 'video', 'h264', null, ${`${word} stream`}), (${id}, 1, 'subtitle', 'subrip', 'en', ${`${word} subtitle`})`)
  await db.query(sql.unsafe`
    insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
    values (${id}, sha256(${`${id} poster`}::bytea), ${libraryId}, sha256('folder'::bytea), 'poster', ${`/srv/${word}/poster.jpg`}, 10, 10),
      (${id}, sha256(${`${id} subtitle`}::bytea), ${libraryId}, sha256('folder'::bytea), 'subtitle', ${`/srv/${word}/${word}.en.srt`}, 10, 10)`)
  if (kind === 'music') {
    await db.query(sql.unsafe`
      insert into music_tracks (media_item_id, artist_id, album_id, artist, track_number, is_in_disc_folder)
      values (${id}, ${artistId}, ${albumId}, ${`${word} performer`}, 1, false)`)
  }
  if (kind === 'photo') {
    await db.query(sql.unsafe`
      insert into photos (media_item_id, library_id, orientation, taken_at, taken_local, time_source, exif, is_listed)
      values (${id}, ${libraryId}, 1, ${day * 86_400}, to_timestamp(${day * 86_400}) at time zone 'UTC', 'name',
        ${sql.jsonb({ camera_make: `${word} camera` })}, true)`)
  }
}

/** Marks, places and plays of an account, as they stay when an item is hidden later. */
export async function plantHistory(
  db: Database,
  { profileId, sessionId, itemIds }: { profileId: string; sessionId: string; itemIds: readonly string[] },
): Promise<void> {
  for (const id of itemIds) {
    await db.query(sql.unsafe`
      insert into user_items (profile_id, media_item_id, favourite_since, rating, watched_at) values (${profileId}, ${id}, now(), 5, now())`)
    await db.query(sql.unsafe`
      insert into playback_states (session_id, profile_id, media_item_id, status, position_ticks, duration_ticks, started_at, updated_at)
      values (${sessionId}, ${profileId}, ${id}, 'stopped', 300000000, 1000000000, now(), now())`)
    await db.query(sql.unsafe`
      insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks, duration_ticks)
      values (${sessionId}, ${profileId}, ${id}, now(), now(), now(), 1000000000, 1000000000)`)
  }
}

/** A session of a player of a profile. */
export function plantSession(db: Database, profileId: string): Promise<string> {
  return idOf(
    db,
    sql.unsafe`insert into playback_sessions (profile_id, created_at, updated_at) values (${profileId}, now(), now()) returning id`,
  )
}

async function idOf(db: Database, statement: ReturnType<typeof sql.unsafe>): Promise<string> {
  return String(await db.oneFirst(statement))
}
