import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { migrate, type Database } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { getAlbum, getArtist, writeTracks } from '../../../src/core/music/index.ts'
import { testDatabase } from '../../support/database.ts'
import { makeSongs } from '../../support/music-library.ts'
import { albumsOf, countMusic } from '../../support/music-rows.ts'

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'migrations')
const MERGING = /_music_names_and_numbers\.sql$/

void t.test('names that differ only in case by Unicode are the same name', async (t) => {
  const { pool: db } = await testDatabase(t)
  const pairs = Array.from({ length: 0x11_00_00 }, (_, code) => code)
    .filter((code) => (code < 0xd8_00 || code > 0xdf_ff) && code > 0 && !isNewerThanPostgres(code))
    .map((code) => String.fromCodePoint(code))
    .flatMap((letter) => [letter.toUpperCase(), letter.toLowerCase()].map((other) => [letter, other]))
    .filter(([letter, other]) => letter !== other)
  t.ok(pairs.length > 2500)
  const unlike = await db.any(sql.unsafe`
    select a, b from ${sql.unnest(pairs, ['text', 'text'])} as v (a, b) where case_fold(a) <> case_fold(b)`)
  t.strictSame(unlike, [])

  const isSame = (one: string, other: string): Promise<unknown> =>
    db.oneFirst(sql.unsafe`select case_fold(${one}) = case_fold(${other})`)
  for (const [one, other] of [
    ['Κώστας', 'ΚΏΣΤΑΣ'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ﬁsh oﬃce', 'FISH OFFICE'],
    ['ῼδή', 'ΩΙΔΉ'],
    ['İstanbul', 'istanbul'],
    ['ılık', 'ILIK'],
    ['Ame\u0301lie', 'AMÉLIE'],
    ['ДДТ', 'ддт'],
  ] as const) {
    t.equal(await isSame(one, other), true, `${one} ${other}`)
  }
  for (const [one, other] of [
    ['Amélie', 'Amelie'],
    ['ΚΩΣΤΑΣ', 'ΚΏΣΤΑΣ'],
    ['x²', 'x2'],
    ['Ⓐ', 'A'],
    ['ab', 'a b'],
  ] as const) {
    t.equal(await isSame(one, other), false, `${one} ${other}`)
  }
})

/** Pairs of Unicode 17, which PostgreSQL 18 does not know: Latin, and the Beria Erfe script. */
function isNewerThanPostgres(code: number): boolean {
  return (code >= 0xa7_ce && code <= 0xa7_d5) || (code >= 0x1_6e_a0 && code <= 0x1_6e_d3)
}

void t.test('an artist and an album in several spellings are one, and each spelling finds them', async (t) => {
  const { pool: db } = await testDatabase(t)
  await makeSongs(db, t.testdir({}), [
    { name: 'One', artist: 'Κώστας', album: 'Η Ζωή ς' },
    { name: 'Two', artist: 'ΚΏΣΤΑΣ', album: 'Η ΖΩΉ Σ', track: 2 },
    { name: 'Three', artist: 'ΑΣ', album: 'Straße' },
    { name: 'Four', artist: 'ας', album: 'STRASSE', track: 2 },
  ])
  t.strictSame(await countMusic(db), { artists: 2, albums: 2, tracks: 4 })
  for (const name of ['Κώστας', 'ΚΏΣΤΑΣ', 'κώστασ']) t.match(await getArtist({ db }, name), { trackCount: 2 }, name)
  t.match(await getArtist({ db }, 'ας'), { albumCount: 1 })
  t.match(await getAlbum({ db }, { title: 'strasse', artist: 'Ας' }), { trackCount: 2 })
  t.match(await getAlbum({ db }, { title: 'STRAẞE' }), { trackCount: 2 })
})

void t.test('a database with a duplicate artist and album merges them with all their data', async (t) => {
  const { pool: db, connectionUri } = await testDatabase(t)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
  await db.query(sql.unsafe`drop schema public cascade`)
  await db.query(sql.unsafe`create schema public`)
  await migrate({ connectionUri, log, directory: migrationsBefore(t) })
  const library = String(
    await db.oneFirst(sql.unsafe`
      insert into libraries (name, type, created_at, updated_at) values ('Music', 'music', now(), now()) returning id`),
  )
  // In each pair the second spelling was requested; of the third album only the first spelling was.
  const few = await addTrack(db, { library, artist: 'Κώστας', album: 'Straße', track: 1 })
  const known = await addTrack(db, { library, artist: 'ΚΏΣΤΑΣ', album: 'STRASSE', track: 2 })
  await addTrack(db, { library, artist: 'ΚΏΣΤΑΣ', album: 'strasse ', track: 3 })
  await addTrack(db, { library, artist: 'Κώστας', album: null, track: 4 })
  const own = await addTrack(db, { library, artist: 'Κώστας', album: 'Δρόμος', track: 5 })
  await addTrack(db, { library, artist: 'ΚΏΣΤΑΣ', album: 'ΔΡΌΜΟΣ', track: 6 })
  await addTrack(db, { library, artist: 'Björk', album: 'Straße', track: 7 })
  const says = (table: string, id: string | null, words: object): Promise<unknown> =>
    db.query(sql.unsafe`
      update ${sql.identifier([table])} set metadata = ${JSON.stringify(words)}::jsonb, metadata_refreshed_at = now() where id = ${id}`)
  await says('music_artists', known.artistId, { country: 'GR' })
  await says('music_albums', known.albumId, { release_date: '1999' })
  await says('music_albums', own.albumId, { release_date: '2001' })
  await addPicture(db, { artist: few.artistId, kind: 'poster', url: 'http://x.test/few' })
  await addPicture(db, { artist: few.artistId, kind: 'backdrop', url: 'http://x.test/few-backdrop' })
  await addPicture(db, { artist: known.artistId, kind: 'poster', url: 'http://x.test/known' })
  await addPicture(db, { album: few.albumId, kind: 'cover', url: 'http://x.test/cover' })

  await migrate({ connectionUri, log })

  t.strictSame(await albumsOf(db), {
    'Björk / Straße': ['-.7 7'],
    'ΚΏΣΤΑΣ / -': ['-.4 4'],
    'ΚΏΣΤΑΣ / STRASSE': ['-.1 1', '-.2 2'],
    'ΚΏΣΤΑΣ / strasse ': ['-.3 3'],
    'ΚΏΣΤΑΣ / Δρόμος': ['-.5 5', '-.6 6'],
  })
  t.strictSame(await countMusic(db), { artists: 2, albums: 4, tracks: 7 })
  t.match(await getArtist({ db }, 'κώστας'), { trackCount: 6, albumCount: 3, metadata: { country: 'GR' } })
  t.match(await getAlbum({ db }, { title: 'δρόμος' }), { trackCount: 2, metadata: { release_date: '2001' } })
  t.strictSame(
    await db.anyFirst(sql.unsafe`select concat_ws(' ', owner_id, kind, url) from provider_artwork order by url`),
    [
      `${known.albumId} cover http://x.test/cover`,
      `${known.artistId} backdrop http://x.test/few-backdrop`,
      `${known.artistId} poster http://x.test/known`,
    ],
  )
  const row = { itemId: few.itemId, artist: 'κώστασ', albumArtist: { name: 'κώστασ', sortName: 'κώστασ' } }
  await writeTracks(db, {
    libraryId: library,
    tracks: [
      {
        ...row,
        guessedArtist: null,
        album: { name: 'sTRASSE', sortName: 'sTRASSE', releaseId: null },
        discNumber: null,
        trackNumber: 0,
        year: null,
        isInDiscFolder: false,
        pictureHash: null,
      },
    ],
  })
  t.strictSame(await countMusic(db), { artists: 2, albums: 4, tracks: 7 }, 'and a scan finds them')
})

/** The migrations of the release before names were folded in this way. */
function migrationsBefore(t: Test): string {
  const folder = join(t.testdir({}), 'before')
  mkdirSync(folder)
  const names = readdirSync(MIGRATIONS).toSorted()
  for (const name of names.slice(
    0,
    names.findIndex((name) => MERGING.test(name)),
  )) {
    cpSync(join(MIGRATIONS, name), join(folder, name))
  }
  return folder
}

type Placed = { itemId: string; artistId: string; albumId: string | null }

/** A track as written by the previous release, with rows of exactly this spelling. */
async function addTrack(
  db: Database,
  { library, artist, album, track }: { library: string; artist: string; album: string | null; track: number },
): Promise<Placed> {
  const Id = z.strictObject({ id: z.string() })
  const artistId = await db.oneFirst(sql.type(Id)`
    insert into music_artists (library_id, name, sort_name) values (${library}, ${artist}, ${artist})
    on conflict (library_id, name_key) do update set name = excluded.name returning id`)
  const albumId = await db.maybeOneFirst(sql.type(Id)`
    insert into music_albums (artist_id, title, sort_title)
    select ${artistId}::uuid, ${album}::text, ${album}::text where ${album}::text is not null
    on conflict (artist_id, title_key, release_id) do update set title = excluded.title returning id`)
  const itemId = await db.oneFirst(sql.type(Id)`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    values (${library}, 'audio', ${`${track}`}, ${`${track}`}, now(), now(), now()) returning id`)
  await db.query(sql.unsafe`
    insert into music_tracks (media_item_id, artist_id, album_id, track_number, is_in_disc_folder)
    values (${itemId}, ${artistId}, ${albumId}, ${track}, false)`)
  return { itemId, artistId, albumId }
}

async function addPicture(
  db: Database,
  {
    artist = null,
    album = null,
    kind,
    url,
  }: { artist?: string | null; album?: string | null; kind: string; url: string },
): Promise<void> {
  await db.query(sql.unsafe`
    insert into provider_artwork (artist_id, album_id, kind, url) values (${artist}, ${album}, ${kind}, ${url})`)
}
