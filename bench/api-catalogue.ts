import { sql } from 'slonik'
import type { Database } from '../src/core/platform/database/index.ts'

/** Libraries of the bench: films, and series with seasons of ten episodes. */
export const FILMS = '00000000-0000-4000-8000-00000000000f'
export const SERIES = '00000000-0000-4000-8000-00000000000e'

const ROWS_PER_STATEMENT = 20_000
const EPISODES_PER_SERIES = 50

/** 4,096 words of three syllables; each syllable is one of sixteen. */
export const SYLLABLES = [
  'ba',
  'del',
  'fi',
  'gor',
  'hal',
  'ju',
  'kan',
  'lo',
  'mer',
  'ni',
  'pas',
  'ro',
  'sil',
  'tan',
  'vi',
  'zo',
]

const word = (number: ReturnType<typeof sql.fragment>) => sql.fragment`
  (w.s[1 + abs(hashint4(${number})) % 16] || w.s[1 + abs(hashint4(${number})) / 16 % 16] || w.s[1 + abs(hashint4(${number})) / 256 % 16])`

/** A film or an episode after a scan and a match. */
const facts = sql.fragment`
  jsonb_build_object('title', t.name, 'year', 1950 + i % 75, 'rating', (array['G', 'PG', 'PG-13', 'R', 'NC-17'])[1 + i % 5],
    'vote_average', (i % 90) / 10.0 + 1, 'overview', repeat(t.name || ' is a story. ', 8),
    'genres', jsonb_build_array('Genre ' || i % 20, 'Genre ' || i / 7 % 20),
    'actors', jsonb_build_array('Actor ' || i % 5000, 'Actor ' || i / 3 % 5000, 'Actor ' || i / 11 % 5000),
    'source', jsonb_build_object('width', 1920, 'height', 1080, 'video_codec', 'h264', 'audio_codec', 'aac', 'fps', 23.976))`

/** Each film and series has a picture. The account has started this many films. */
const FAVOURITES = 200
const BEGUN = 40

/**
 * Fills an empty database: four fifths films, one fifth episodes with their series and seasons. Uses SQL, because a scan of a million files
 * takes too long. Indexes and counts are created afterwards, as when a backup is restored.
 * @param options.changeItems changes the rows of items while they have no indexes and no triggers
 * @returns the id of the account, which has favourites and has started some films
 */
export async function fillCatalogue(
  db: Database,
  items: number,
  { changeItems }: { changeItems?: (db: Database) => Promise<void> } = {},
): Promise<string> {
  await db.query(sql.unsafe`
    insert into libraries (id, name, type, created_at, updated_at)
    values (${FILMS}, 'Films', 'movie', now(), now()), (${SERIES}, 'Series', 'series', now(), now())`)
  await dropIndexes(db)
  await db.query(sql.unsafe`alter table media_items disable trigger user`)
  const episodes = Math.floor(items / 5)
  await fill(items - episodes, (from, to) => insertFilms(db, from, to))
  await fill(
    Math.ceil(episodes / EPISODES_PER_SERIES),
    (from, to) => insertSeries(db, from, to),
    ROWS_PER_STATEMENT / 50,
  )
  await changeItems?.(db)
  await db.query(sql.unsafe`alter table media_items enable trigger user`)
  await makeIndexes(db)
  await noteWords(db)
  await countItems(db)
  await insertArtwork(db)
  const userId = await insertUse(db)
  await db.query(sql.unsafe`vacuum (analyze)`)
  return userId
}

/** Drops the indexes that neither a constraint nor the filling needs. Their definitions are stored in a table of the bench. */
async function dropIndexes(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    create table bench_indexes as select i.indexname, i.indexdef from pg_indexes i
    where i.tablename = 'media_items' and not exists (select from pg_constraint c where c.conname = i.indexname)
      and i.indexname not in ('media_items_children', 'media_items_group_key')`)
  await db.query(sql.unsafe`
    do $$ declare name text; begin
      for name in select indexname from bench_indexes loop execute format('drop index %I', name); end loop;
    end $$`)
}

async function makeIndexes(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    do $$ declare definition text; begin
      set local maintenance_work_mem = '512MB';
      for definition in select indexdef from bench_indexes loop execute definition; end loop;
    end $$`)
  await db.query(sql.unsafe`drop table bench_indexes`)
}

/** Stores the counts that the triggers would have written (migrations/0019_browsing.sql). */
async function countItems(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, count(*)
    from media_items i
    cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5`)
}

/** Stores the words that the triggers would have written (migrations/0044_item_words.sql). */
async function noteWords(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    insert into item_words (word) select distinct word from media_items, unnest(name_words(search_name)) as words (word)`)
}

/** Stores favourites and positions of the account. */
async function insertUse(db: Database): Promise<string> {
  const userId = String(await db.oneFirst(sql.unsafe`select id from users limit 1`))
  await db.query(sql.unsafe`
    insert into user_items (profile_id, media_item_id, favourite_since)
    select ${userId}, id, timestamptz '2026-03-01' + row_number() over (order by id) * interval '1 minute'
    from (select id from media_items where type = 'movie' order by id limit ${FAVOURITES}) i`)
  await db.query(sql.unsafe`
    with session as (
      insert into playback_sessions (profile_id, device_id, created_at, updated_at) values (${userId}, 'bench', now(), now())
      returning id)
    insert into playback_states (session_id, profile_id, media_item_id, status, position_ticks, duration_ticks, started_at, updated_at)
    select session.id, ${userId}, i.id, 'paused', 6000000000, 60000000000, now(),
      timestamptz '2026-03-01' + row_number() over (order by i.id) * interval '1 minute'
    from session, (select id from media_items where type = 'movie' order by id limit ${BEGUN}) i`)
  return userId
}

async function fill(count: number, insert: (from: number, to: number) => Promise<void>, step = ROWS_PER_STATEMENT) {
  for (let from = 0; from < count; from += step) await insert(from, Math.min(from + step, count) - 1)
}

async function insertFilms(db: Database, from: number, to: number): Promise<void> {
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, path, path_hash, folder_hash, size_bytes, modified_ns,
      duration_seconds, container, bitrate, metadata, canonical_key, added_at, created_at, updated_at)
    select ${FILMS}, 'movie', t.name, t.name, 1950 + i % 75, '/films/' || i || '.mkv', sha256(('/films/' || i)::bytea),
      sha256((i / 20)::text::bytea), 700000000 + i, 1700000000000000000 + i, 3600 + i % 7000, 'matroska,webm', 5000000, ${facts},
      t.name || i, timestamptz '2026-01-01' + i * interval '1 second', now(), now()
    from generate_series(${from}::int, ${to}::int) i, (select ${sql.array(SYLLABLES, 'text')} as s) w,
      lateral (select ${word(sql.fragment`i`)} || ' ' || ${word(sql.fragment`i / 3`)} || ' ' || ${word(sql.fragment`i * 7`)} as name) t`)
}

async function insertSeries(db: Database, from: number, to: number): Promise<void> {
  await db.query(sql.unsafe`
    with series as (
      insert into media_items (library_id, type, name, sort_title, year, group_key, metadata, added_at, created_at, updated_at)
      select ${SERIES}, 'series', t.name, t.name, 1950 + i % 75, 'series ' || i, ${facts}, timestamptz '2026-02-01' + i * interval '1 minute',
        now(), now()
      from generate_series(${from}::int, ${to}::int) i, (select ${sql.array(SYLLABLES, 'text')} as s) w,
        lateral (select ${word(sql.fragment`i`)} || ' ' || ${word(sql.fragment`i * 5`)} as name) t
      returning id, name, added_at),
    seasons as (
      insert into media_items (library_id, type, name, sort_title, season_number, parent_id, group_key, added_at, created_at, updated_at)
      select ${SERIES}, 'season', 'Season ' || n, 'Season ' || n, n, id, id || '/' || n, added_at, now(), now()
      from series, generate_series(1, 5) n returning id, season_number, added_at)
    insert into media_items (library_id, type, name, sort_title, season_number, episode_number, parent_id, path, path_hash,
      folder_hash, size_bytes, modified_ns, duration_seconds, added_at, created_at, updated_at)
    select ${SERIES}, 'episode', 'Episode ' || n, 'Episode ' || n, season_number, n, id, '/series/' || id || '/' || n,
      sha256((id || '/' || n)::bytea), sha256(id::text::bytea), 300000000, 1700000000000000000, 2400, added_at, now(), now()
    from seasons, generate_series(1, 10) n`)
}

/** The pictures that a provider has for each film and series: a poster and a backdrop. */
async function insertArtwork(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url)
    select i.id, k.kind, 'https://image.example/t/p/original/' || k.kind || '/' || i.id || '.jpg'
    from media_items i, (values ('poster'), ('backdrop')) k (kind) where i.type in ('movie', 'series')`)
}
