import { createHash, randomUUID } from 'node:crypto'
import { sql, type QuerySqlToken } from 'slonik'
import t from 'tap'
import {
  clearProviderArtwork,
  readArtworkAddresses,
  setProviderArtwork,
  type ArtworkAddress,
  type ArtworkAddresses,
  type ArtworkKind,
} from '../../../src/core/artwork/index.ts'
import { storeFetchedPicture } from '../../../src/core/artwork/queries/provider-artwork.ts'
import { selectArtworkSources } from '../../../src/core/artwork/queries/artwork-sources.ts'
import type { Connection, Database } from '../../../src/core/platform/database/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { fillTable } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function putBeside(db: Database, itemId: string, kind: string, path: string): Promise<void> {
  await db.query(sql.unsafe`
    insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
    select id, decode(${hashOf(path)}, 'hex'), library_id, decode(${hashOf('folder')}, 'hex'), ${kind}, ${path}, 10, 20
    from media_items where id = ${itemId}`)
}

async function putAttachment(db: Database, itemId: string, codec: string | null): Promise<void> {
  await db.query(sql.unsafe`
    insert into media_streams (media_item_id, stream_index, stream_type, codec) values (${itemId}, 2, 'attachment', ${codec})`)
}

async function putVideo(db: Database, itemId: string): Promise<void> {
  await db.query(sql.unsafe`
    insert into media_streams (media_item_id, stream_index, stream_type, codec) values (${itemId}, 0, 'video', 'h264')`)
}

/** The kinds of pictures, with the source of each. */
async function sourcesOf(db: Database, id: string): Promise<string[]> {
  const found = await selectArtworkSources(db, [id])
  return found.map(({ kind, source, path, url }) => `${kind} ${source} ${path?.split('/').at(-1) ?? url}`)
}

void t.test('a picture beside a film has priority over the one in it, and that over the provider’s', async (t) => {
  const { db } = await testServices(t)
  const folder = reachableDirectory(t)
  const [film = ''] = await makeItems(db, folder, [{}])
  t.strictSame(await sourcesOf(db, film), [])
  await setProviderArtwork(db, [
    { itemId: film, kind: 'poster', url: 'https://image.example/poster.jpg' },
    { itemId: film, kind: 'backdrop', url: 'https://image.example/back.jpg' },
  ])
  t.strictSame(await sourcesOf(db, film), [
    'backdrop web https://image.example/back.jpg',
    'poster web https://image.example/poster.jpg',
  ])
  await putAttachment(db, film, 'ttf')
  t.match((await sourcesOf(db, film))[1], /^poster web/, 'a font is no picture')
  await db.query(sql.unsafe`update media_streams set codec = 'mjpeg'`)
  t.equal((await sourcesOf(db, film))[1], 'poster inside 0.mkv')
  await putBeside(db, film, 'poster', '/films/poster.jpg')
  await putBeside(db, film, 'backdrop', '/films/fanart2.jpg')
  await putBeside(db, film, 'backdrop', '/films/fanart.jpg')
  await putBeside(db, film, 'thumb', '/films/landscape.jpg')
  await putBeside(db, film, 'nfo', '/films/movie.nfo')
  t.strictSame(await sourcesOf(db, film), [
    'backdrop file fanart.jpg',
    'poster file poster.jpg',
    'still file landscape.jpg',
  ])
})

void t.test('a film without any other still is shown with one of its frames', async (t) => {
  const { db } = await testServices(t)
  const folder = reachableDirectory(t)
  const [film = '', episode = '', broken = '', sound = ''] = await makeItems(db, folder, [
    {},
    { type: 'episode' },
    { probeError: 'the file is empty' },
    {},
  ])
  for (const id of [film, episode, broken]) await putVideo(db, id)
  t.strictSame(await sourcesOf(db, film), ['still frame 0.mkv'])
  t.match(await selectArtworkSources(db, [film]), [{ durationSeconds: 100 }])
  t.strictSame(await sourcesOf(db, broken), [])
  t.strictSame(await sourcesOf(db, sound), [])
  await setProviderArtwork(db, [{ itemId: episode, kind: 'still', url: 'https://image.example/still.jpg' }])
  t.strictSame(await sourcesOf(db, episode), ['still web https://image.example/still.jpg'])
  await putBeside(db, film, 'thumb', '/films/landscape.jpg')
  t.strictSame(await sourcesOf(db, film), ['still file landscape.jpg'])
})

void t.test('photos, books, audiobooks and music have pictures of their own', async (t) => {
  const { db } = await testServices(t)
  const folder = reachableDirectory(t)
  const [photo = '', epub = '', bare = '', broken = '', m4b = '', song = '', silent = ''] = await makeItems(
    db,
    folder,
    [
      { type: 'image', path: `${folder}/a.jpg` },
      { type: 'book', path: `${folder}/b.EPUB` },
      { type: 'book', path: `${folder}/c.epub` },
      { type: 'book', path: `${folder}/d.cbz`, probeError: 'the archive is broken' },
      { type: 'audiobook', path: `${folder}/e.m4b` },
      { type: 'audio', path: `${folder}/f.mp3` },
      { type: 'audio', path: `${folder}/g.mp3` },
    ],
  )
  for (const id of [epub, broken, m4b]) await putAttachment(db, id, null)
  const artist = await db.oneFirst(sql.unsafe`
    insert into music_artists (library_id, name, sort_name) select library_id, 'A', 'A' from media_items limit 1 returning id`)
  const album = await db.oneFirst(sql.unsafe`
    insert into music_albums (artist_id, title, sort_title) values (${String(artist)}, 'B', 'B') returning id`)
  await db.query(sql.unsafe`
    insert into music_tracks (media_item_id, artist_id, album_id, track_number, is_in_disc_folder, picture_hash)
    values (${silent}, ${String(artist)}, ${String(album)}, 1, false, null),
      (${song}, ${String(artist)}, ${String(album)}, 2, false, decode(${hashOf('art')}, 'hex'))`)
  t.strictSame(await sourcesOf(db, photo), ['poster file a.jpg'])
  t.strictSame(await sourcesOf(db, epub), ['cover inside b.EPUB'])
  t.strictSame(await sourcesOf(db, bare), [])
  t.strictSame(await sourcesOf(db, broken), [])
  t.strictSame(await sourcesOf(db, m4b), ['cover inside e.m4b'])
  t.strictSame(await sourcesOf(db, song), ['cover inside f.mp3'])
  t.strictSame(await sourcesOf(db, silent), ['cover inside f.mp3'], 'of its album')
  t.strictSame(await sourcesOf(db, String(album)), ['cover inside f.mp3'])
  await setProviderArtwork(db, [{ itemId: String(album), kind: 'cover', url: 'https://image.example/b.jpg' }])
  await db.query(sql.unsafe`update music_tracks set picture_hash = null where media_item_id = ${song}`)
  t.strictSame(await sourcesOf(db, silent), ['cover web https://image.example/b.jpg'])
  await storeFetchedPicture(db, {
    ownerId: silent,
    kind: 'cover',
    url: 'https://image.example/b.jpg',
    contentHash: hashOf('b'),
  })
  t.match(await selectArtworkSources(db, [silent]), [{ contentHash: hashOf('b') }], 'fetched once for all songs')
  await db.query(sql.unsafe`
    with folder as (
      insert into scan_folders (library_id, path_hash, path, listing_hash, file_count)
      select library_id, folder_hash, '/all', folder_hash, 1 from media_items where id = ${song} returning *)
    insert into music_covers (library_id, folder_hash, path, size_bytes, modified_ns)
    select library_id, path_hash, '/all/cover.jpg', 1, 1 from folder`)
  for (const id of [song, silent, String(album)]) t.strictSame(await sourcesOf(db, id), ['cover file cover.jpg'])

  await setProviderArtwork(db, [{ itemId: String(artist), kind: 'profile', url: 'https://image.example/a.jpg' }])
  t.strictSame(await sourcesOf(db, String(artist)), ['profile web https://image.example/a.jpg'])
})

function posterOf(all: Map<string, ArtworkAddresses>, id: string): ArtworkAddress {
  return all.get(id)?.poster ?? { url: '', srcset: '' }
}

void t.test('addresses are signed, in several widths, the same for a day, and new for a new picture', async (t) => {
  const clock = movableClock()
  const services = await testServices(t, { clock })
  const { db, signer } = services
  const folder = reachableDirectory(t)
  const [film = '', book = '', bare = ''] = await makeItems(db, folder, [
    {},
    { type: 'book', path: `${folder}/a.epub` },
    {},
  ])
  await putAttachment(db, book, null)
  await putBeside(db, film, 'poster', '/films/poster.jpg')
  const read = () => readArtworkAddresses(services, { itemIds: [film, book, bare, randomUUID()] })
  const first = await read()
  t.strictSame([...first.keys()].toSorted(), [film, book].toSorted())
  const poster = posterOf(first, film)
  const url = new URL(poster.url, 'http://phlix.example')
  t.match(url.pathname, new RegExp(`^/api/v1/artwork/${film}-poster-[0-9a-f]{10}$`))
  t.equal(url.searchParams.get('size'), '320')
  const [exp, sig] = [url.searchParams.get('exp'), url.searchParams.get('sig')]
  t.equal(signer.verify(url.pathname, exp, sig), 'valid')
  // At noon: until midnight, and six hours more.
  t.equal(Number(exp) - clock.unixSeconds(), 18 * 3600)
  t.equal(poster.srcset.split(', ').length, 4)
  t.match(poster.srcset, /size=160&exp=\d+&sig=\S+ 160w, /)
  t.strictSame(first.get(book)?.poster, first.get(book)?.cover)
  clock.advance(12 * 3600 - 1)
  t.strictSame(await read(), first)
  clock.advance(1)
  t.not(posterOf(await read(), film).url, poster.url)
  const idBefore = url.pathname
  await db.query(sql.unsafe`update item_sidecars set modified_ns = modified_ns + 1`)
  t.not(new URL(posterOf(await read(), film).url, url).pathname, idBefore)
})

void t.test(
  'provider pictures are replaced by kind, deleted with a library, and only accepted with web addresses',
  async (t) => {
    const { db } = await testServices(t)
    const folder = reachableDirectory(t)
    const [film = '', other = ''] = await makeItems(db, folder, [{}, {}])
    const [elsewhere = ''] = await makeItems(db, reachableDirectory(t), [{}])
    const set = (itemId: string, kind: ArtworkKind, url: string | null) =>
      setProviderArtwork(db, [{ itemId, kind, url }])
    await setProviderArtwork(db, [])
    await set(film, 'poster', 'https://image.example/1.jpg')
    await set(film, 'logo', 'https://image.example/logo.png')
    await db.query(sql.unsafe`update provider_artwork set content_hash = decode(${hashOf('x')}, 'hex')`)
    await set(film, 'poster', 'https://image.example/1.jpg')
    t.match(
      await selectArtworkSources(db, [film], { kind: 'poster' }),
      [{ contentHash: hashOf('x') }],
      'the same address stays fetched',
    )
    await set(film, 'poster', 'https://image.example/2.jpg')
    t.match(await selectArtworkSources(db, [film], { kind: 'poster' }), [
      { contentHash: null, url: 'https://image.example/2.jpg' },
    ])
    await set(film, 'poster', null)
    t.strictSame(await sourcesOf(db, film), ['logo web https://image.example/logo.png'])
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'nonsense',
      '',
      `https://a.example/${'x'.repeat(2100)}`,
    ]) {
      await set(film, 'logo', 'https://image.example/logo.png')
      await set(film, 'logo', url)
      t.strictSame(await sourcesOf(db, film), [], url.slice(0, 30))
    }
    await set(randomUUID(), 'poster', 'https://image.example/nobody.jpg')
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from provider_artwork`), 0)
    await setProviderArtwork(db, [
      { itemId: other, kind: 'poster', url: 'https://image.example/first.jpg' },
      { itemId: other, kind: 'poster', url: 'https://image.example/last.jpg' },
      { itemId: elsewhere, kind: 'poster', url: 'https://image.example/stays.jpg' },
    ])
    t.strictSame(await sourcesOf(db, other), ['poster web https://image.example/last.jpg'])
    const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${other}`))
    await clearProviderArtwork(db, { libraryId })
    t.strictSame([(await sourcesOf(db, other)).length, (await sourcesOf(db, elsewhere)).length], [0, 1])
  },
)

void t.test('the pictures of a list are found through indexes alone', async (t) => {
  const { db } = await testServices(t)
  const folder = reachableDirectory(t)
  await makeItems(db, folder, [{}])
  await fillTable(
    db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    select library_id, 'series', n::text, n::text, now(), now(), now() from media_items, generate_series(1, 5000) n`,
  )
  await fillTable(
    db,
    sql.unsafe`
    insert into media_streams (media_item_id, stream_index, stream_type, codec) select id, 0, 'attachment', 'png' from media_items`,
  )
  await fillTable(
    db,
    sql.unsafe`
    insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
    select id, sha256(id::text::bytea), library_id, sha256(id::text::bytea), 'poster', '/p/' || id, 1, 1 from media_items`,
  )
  await fillTable(
    db,
    sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url) select id, 'poster', 'https://a.example/' || id from media_items`,
  )
  for (const table of ['media_items', 'media_streams', 'item_sidecars', 'provider_artwork']) {
    await db.query(sql.unsafe`analyze ${sql.identifier([table])}`)
  }
  const ids = (await db.anyFirst(sql.unsafe`select id from media_items limit 50`)).map(String)
  t.equal((await selectArtworkSources(db, ids)).length, 50)
  let query: QuerySqlToken | undefined
  const listening = { any: async (asked: QuerySqlToken) => ((query = asked), []) } as unknown as Connection
  await selectArtworkSources(listening, ids)
  const plan = JSON.stringify(await db.anyFirst(sql.unsafe`explain ${query ?? sql.fragment``}`))
  t.notMatch(plan, /Seq Scan on (?:media_items|media_streams|item_sidecars|provider_artwork)\b/, plan)
})
