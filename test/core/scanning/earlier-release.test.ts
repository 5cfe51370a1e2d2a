import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { sql } from 'slonik'
import t from 'tap'
import { selectArtworkSources } from '../../../src/core/artwork/queries/artwork-sources.ts'
import { epubOf } from '../../support/book-files.ts'
import { testDatabase } from '../../support/database.ts'
import { albumsOf } from '../../support/music-rows.ts'
import { scannedLibrary } from '../../support/scanning.ts'
import { putAudio } from '../../support/tagged-audio.ts'

const MIGRATION = join(import.meta.dirname, '../../../migrations/0043_covers_and_compilations.sql')

void t.test('books of an earlier release are read again, and its songs gathered by the next scan', async (t) => {
  const database = await testDatabase(t)
  const { pool: db, connectionUri } = database
  const books = await scannedLibrary(t, { type: 'book', name: 'Books', database })
  writeFileSync(join(books.folder, 'bare.epub'), epubOf('<dc:title>Bare</dc:title>'))
  await books.scan()
  const music = await scannedLibrary(t, { type: 'music', name: 'Music', database })
  const tags = { title: 'One', track: '1', album: 'Hits' }
  await putAudio(music.folder, 'Hits/1.mp3', { tags: { ...tags, artist: 'Ada' } })
  await putAudio(music.folder, 'Hits/2.mp3', { tags: { ...tags, title: 'Two', track: '2', artist: 'Bob' } })
  await putAudio(music.folder, 'Hits/3.mp3', { tags: { ...tags, title: 'Three', artist: 'Ada', album_artist: 'Ada' } })
  await music.scan()
  const gathered = { 'Ada / Hits': ['-.1 Three'], 'Various Artists / Hits': ['-.1 One', '-.2 Two'] }
  t.strictSame(await albumsOf(db), gathered)

  // As the previous release left them.
  await db.query(sql.unsafe`alter table music_tracks drop column guessed_artist`)
  await db.query(sql.unsafe`
    insert into music_artists (library_id, name, sort_name) select library_id, artist, artist from music_tracks t
    join media_items i on i.id = t.media_item_id on conflict do nothing`)
  await db.query(sql.unsafe`
    insert into music_albums (artist_id, title, sort_title) select id, 'Hits', 'Hits' from music_artists on conflict do nothing`)
  await db.query(sql.unsafe`
    update music_tracks t set artist_id = r.id, album_id = a.id from music_artists r join music_albums a on a.artist_id = r.id
    where r.name = t.artist`)
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  await client.query(readFileSync(MIGRATION, 'utf8'))
  await client.end()

  const ids = await db.anyFirst(sql.unsafe`select id from media_items where type = 'book'`)
  const sources = async () => (await selectArtworkSources(db, ids.map(String))).length
  t.equal(await sources(), 1, 'until then the address stays')
  await books.scan()
  t.equal(await sources(), 0)
  await music.scan()
  t.strictSame(await albumsOf(db), gathered)
})
