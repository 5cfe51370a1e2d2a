import { sql, type QuerySqlToken } from 'slonik'
import t, { type Test } from 'tap'
import { readArtworkAddresses, setProviderArtwork, type ArtworkKind } from '../../../src/core/artwork/index.ts'
import { removeItem } from '../../../src/core/catalogue/index.ts'
import { storeFetchedPicture } from '../../../src/core/artwork/queries/provider-artwork.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { fillTable } from '../../support/database.ts'
import { testServices } from '../../support/services.ts'

/** A film, a song of an album, and a photo, with their pictures, which are read twice: the second time from the cache. */
async function setup(t: Test) {
  const services = await testServices(t)
  const { db, catalogueCache } = services
  const folder = t.testdir()
  const [film = '', song = '', photo = ''] = await makeItems(db, folder, [
    {},
    { type: 'audio', path: `${folder}/a.mp3` },
    { type: 'image', path: `${folder}/a.jpg` },
  ])
  const artist = String(
    await db.oneFirst(sql.unsafe`
    insert into music_artists (library_id, name, sort_name) select library_id, 'A', 'A' from media_items limit 1 returning id`),
  )
  const album = String(
    await db.oneFirst(sql.unsafe`
    insert into music_albums (artist_id, title, sort_title) values (${artist}, 'B', 'B') returning id`),
  )
  const read = async (): Promise<Map<string, Record<string, string>>> => {
    const found = await readArtworkAddresses(services, { itemIds: [film, song, photo, album, artist] })
    return new Map(
      [...found].map(([id, pictures]) => [
        id,
        Object.fromEntries(Object.entries(pictures).map(([kind, { url }]) => [kind, url])),
      ]),
    )
  }
  const shown = async () => {
    const first = await read()
    t.strictSame(await read(), first)
    return first
  }
  return { db, catalogueCache, shown, ids: { film, song, photo, album, artist } }
}

void t.test('every change of a picture shows in the next answer', async (t) => {
  const { db, shown, ids } = await setup(t)
  const run = (statement: QuerySqlToken) => () => db.query(statement)
  const web = (itemId: string, kind: ArtworkKind, name: string) => () =>
    setProviderArtwork(db, [{ itemId, kind, url: `https://image.example/${name}.jpg` }])
  const changes: [string, () => Promise<unknown>, string, string][] = [
    ['a provider names a poster', web(ids.film, 'poster', 'a'), ids.film, 'poster'],
    ['a provider names another', web(ids.film, 'poster', 'b'), ids.film, 'poster'],
    [
      'a file lies beside the film',
      run(sql.unsafe`
        insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
        select id, path_hash, library_id, folder_hash, 'poster', '/films/poster.jpg', 10, 20 from media_items where id = ${ids.film}`),
      ids.film,
      'poster',
    ],
    ['the file is another one', run(sql.unsafe`update item_sidecars set modified_ns = 21`), ids.film, 'poster'],
    ['the file is gone', run(sql.unsafe`delete from item_sidecars`), ids.film, 'poster'],
    ['the provider’s is cleared', () => db.query(sql.unsafe`delete from provider_artwork`), ids.film, 'poster'],
    [
      'a picture is attached to the film',
      run(sql.unsafe`
        insert into media_streams (media_item_id, stream_index, stream_type, codec) values (${ids.film}, 2, 'attachment', 'mjpeg')`),
      ids.film,
      'poster',
    ],
    [
      'the film is another file',
      run(sql.unsafe`update media_items set modified_ns = modified_ns + 1`),
      ids.film,
      'poster',
    ],
    ['it is a font', run(sql.unsafe`update media_streams set codec = 'ttf'`), ids.film, 'poster'],
    [
      'a song has a picture',
      run(sql.unsafe`
        insert into music_tracks (media_item_id, artist_id, album_id, track_number, is_in_disc_folder, picture_hash)
        values (${ids.song}, ${ids.artist}, ${ids.album}, 1, false, sha256('a'))`),
      ids.song,
      'cover',
    ],
    ['the song has lost it', run(sql.unsafe`update music_tracks set picture_hash = null`), ids.album, 'cover'],
    [
      'its folder has a cover',
      run(sql.unsafe`
        with folder as (
          insert into scan_folders (library_id, path_hash, path, listing_hash, file_count)
          select library_id, folder_hash, '/all', folder_hash, 1 from media_items where id = ${ids.song} returning *)
        insert into music_covers (library_id, folder_hash, path, size_bytes, modified_ns)
        select library_id, path_hash, '/all/cover.jpg', 1, 1 from folder`),
      ids.album,
      'cover',
    ],
    ['the folder is gone', run(sql.unsafe`delete from scan_folders`), ids.song, 'cover'],
    ['a provider knows the artist', web(ids.artist, 'profile', 'c'), ids.artist, 'profile'],
    [
      'a photo cannot be read',
      run(sql.unsafe`update media_items set probe_error = 'it is broken'`),
      ids.photo,
      'poster',
    ],
  ]
  for (const [label, change, id, kind] of changes) {
    const before = (await shown()).get(id)?.[kind]
    await change()
    t.not((await shown()).get(id)?.[kind], before, label)
  }
})

void t.test('a change of anything else does not invalidate the cached pictures', async (t) => {
  const { db, catalogueCache, ids } = await setup(t)
  const url = 'https://image.example/a.jpg'
  await setProviderArtwork(db, [{ itemId: ids.film, kind: 'poster', url }])
  const version = await catalogueCache.readVersion()
  await storeFetchedPicture(db, { ownerId: ids.film, kind: 'poster', url, contentHash: '00'.repeat(32) })
  await db.query(sql.unsafe`update media_items set name = name`)
  t.equal(await catalogueCache.readVersion(), version)
})

void t.test('the removal of an item with its pictures is detected by the item alone', async (t) => {
  const { db, catalogueCache, ids } = await setup(t)
  await setProviderArtwork(db, [{ itemId: ids.film, kind: 'poster', url: 'https://image.example/a.jpg' }])
  const changes = () => db.oneFirst(sql.unsafe`select count(*)::int from item_tallies where kind = 'change'`)
  await db.query(sql.unsafe`select sum_item_tallies()`)
  const version = await catalogueCache.readVersion()
  const before = await changes()
  await removeItem({ db, clock: systemClock }, ids.film)
  t.equal(await changes(), before)
  t.not(await catalogueCache.readVersion(), version)
})

void t.test('more pictures than the cache holds are all found', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const [first = ''] = await makeItems(db, t.testdir(), [{ type: 'image' }])
  await fillTable(
    db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, size_bytes, modified_ns, added_at, created_at, updated_at)
    select i.library_id, i.type, 'Photo ' || n, 'Photo ' || n, i.path || n, sha256(('' || n)::bytea), 1, 1, now(), now(), now()
    from media_items i, generate_series(1, 11999) n where i.id = ${first}`,
  )
  const ids = (await db.anyFirst(sql.unsafe`select id from media_items order by id`)).map(String)
  for (const _round of [1, 2]) {
    const found = await readArtworkAddresses(services, { itemIds: ids })
    t.equal(found.size, 12_000)
    t.ok([...found.values()].every(({ poster }) => poster !== undefined))
  }
})
