import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { sql } from 'slonik'
import t from 'tap'
import { clearProviderArtwork, setProviderArtwork } from '../../../src/core/artwork/index.ts'
import { startApp } from '../../support/app.ts'
import { addressOf, inspectPicture } from '../../support/artwork-library.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { startFakeTmdb } from '../../support/fake-tmdb.ts'
import { plain, turnedJpeg } from '../../support/generated-pictures.ts'
import { addFilm, addSeries, emptyLibrary, runJob, tmdbFlags } from '../../support/metadata.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

const database = await testDatabase(t)
const fake = await startFakeTmdb(t, [{ id: 1, kind: 'movie', title: 'Heat', date: '1995-12-15' }])
const services = await testServices(t, { database, flags: tmdbFlags(fake) })
const app = await startApp(t, { services })
const { token } = await app.registerAdmin()
const { db } = services
const library = await emptyLibrary(t, db, { name: 'Films' })
const heat = await addFilm(db, library, { name: 'Heat', year: 1995 })
const dark = await addSeries(db, library, { name: 'Dark', seasons: { 1: [1] } })
const folder = reachableDirectory(t)
const pictureOf = async (name: string, bytes: Buffer | string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
const red = await pictureOf('red.jpg', await plain(400, 600, '#ff0000').jpeg().toBuffer())
const green = await pictureOf('green.png', await plain(2600, 3900, '#00ff00').png().toBuffer())
const blue = await pictureOf('blue.webp', await plain(100, 100, '#0000ff').webp().toBuffer())

const edit = async (id: string, ...words: string[]) => {
  const more = ['--data-dir', services.config.dataDirectory, '--json']
  const { code, stdout } = await runPhlix(['media:edit', id, ...words, ...more], { environment: database.environment })
  return { code, document: JSON.parse(stdout) as { item?: { id: string }; error?: { code: string; message: string } } }
}
/** The poster as clients see it. */
const posterOf = async (id: string): Promise<string> => {
  const { json } = await app.ask('GET', `/api/v1/media/${id}`, { token })
  return (json as { poster_url: string | null }).poster_url ?? ''
}
const PROVIDER = 'https://image.example/poster.jpg'

void t.test('a poster from a file is shown immediately at another address, and needs the file no more', async (t) => {
  const mine = await pictureOf('mine.jpg', await plain(400, 600, '#ff0000').jpeg().toBuffer())
  t.match(await edit(heat, '--poster', mine), {
    code: 0,
    document: { item: { id: heat, artwork: [{ kind: 'poster', source: 'edited', path: null, url: null }] } },
  })
  await rm(mine)
  const first = await posterOf(heat)
  t.equal(await inspectPicture(app, first), '320x480 jpeg red')
  t.equal((await edit(heat, '--poster', green)).code, 0)
  const second = await posterOf(heat)
  t.not(second.split('?')[0], first.split('?')[0])
  t.equal(await inspectPicture(app, second), '320x480 jpeg green')
  t.equal(
    await inspectPicture(app, second.replace('size=320', 'size=original')),
    '1280x1920 jpeg green',
    'larger is not kept',
  )
  t.equal((await edit(heat, '--poster', blue)).code, 0)
  t.equal(await inspectPicture(app, await posterOf(heat)), '100x100 jpeg blue')
  const { json } = await app.ask('GET', `/api/v1/media?search=heat`, { token })
  t.match(json, { items: [{ id: heat, poster_url: await posterOf(heat) }] }, 'in lists too')
})

void t.test('it comes before every other picture, through match, refresh and clearing', async (t) => {
  t.equal((await edit(heat, '--poster', red)).code, 0)
  const address = await posterOf(heat)
  for (const type of ['metadata', 'metadata_refresh', 'clear_metadata', 'clear_artwork'] as const) {
    t.match(await runJob(services, library.id, type), { status: 'completed' })
    t.equal(await posterOf(heat), address, type)
  }
  await setProviderArtwork(db, [{ itemId: heat, kind: 'poster', url: PROVIDER }])
  await db.query(sql.unsafe`
    insert into item_sidecars (media_item_id, path_hash, library_id, folder_hash, kind, path, size_bytes, modified_ns)
    select id, sha256('p'), library_id, sha256('f'), 'poster', '/films/poster.jpg', 10, 20 from media_items where id = ${heat}`)
  t.equal(await posterOf(heat), address)
  await clearProviderArtwork(db, { libraryId: library.id })
  t.equal(await posterOf(heat), address)
})

void t.test('--reset takes it back', async (t) => {
  t.match(await edit(heat, '--reset', 'poster'), { code: 0, document: { item: { artwork: [{ source: 'file' }] } } })
  await db.query(sql.unsafe`delete from item_sidecars where media_item_id = ${heat}`)
  await setProviderArtwork(db, [{ itemId: heat, kind: 'poster', url: PROVIDER }])
  t.match(await edit(heat, '--poster', red), { document: { item: { artwork: [{ source: 'edited' }] } } })
  t.match(await edit(heat, '--reset', 'poster'), {
    document: { item: { artwork: [{ source: 'web', url: PROVIDER }] } },
  })
  t.equal((await edit(heat, '--reset', 'poster')).code, 0, 'also when there is none')
})

void t.test('a poster that an administrator selects from TMDB replaces it', async (t) => {
  t.match(await runJob(services, library.id, 'metadata_refresh'), { status: 'completed' })
  await edit(heat, '--poster', red)
  const before = await posterOf(heat)
  const path = `/api/v1/media/${heat}`
  const { json } = await app.ask('GET', `${path}/posters`, { token })
  const [, other] = (json as { candidates: { poster_url: string }[] }).candidates
  const body = { poster_url: other?.poster_url }
  t.match(await app.ask('PUT', `${path}/poster`, { token, body }), { status: 200 })
  t.not(await posterOf(heat), before)
  t.match(await edit(heat, '--year', '1996'), { document: { item: { artwork: [{ source: 'web' }] } } })
})

void t.test('episodes, songs and books show their posters, a photo has none', async (t) => {
  const [song = '', book = '', photo = ''] = await makeItems(db, folder, [
    { type: 'audio', path: `${folder}/a.mp3` },
    { type: 'book', path: `${folder}/b.epub` },
    { type: 'image', path: `${folder}/c.jpg` },
  ])
  await edit(dark, '--poster', green)
  const episode = String(await db.oneFirst(sql.unsafe`select id from media_items where type = 'episode'`))
  t.equal(await inspectPicture(app, await posterOf(episode)), '320x480 jpeg green', 'of its series')
  for (const id of [episode, song, book]) {
    t.match(await edit(id, '--poster', red), { code: 0 })
    t.equal(await inspectPicture(app, await posterOf(id)), '320x480 jpeg red')
  }
  t.equal(await inspectPicture(app, await addressOf(app, book, 'cover')), '320x480 jpeg red')
  t.match(await edit(photo, '--poster', red), { code: 2, document: { error: { code: 'invalid_poster' } } })
})

void t.test('it is rotated by its EXIF orientation, and stored without EXIF', async (t) => {
  const turned = await sharp(await turnedJpeg(6))
    .resize(160, 120, { fit: 'fill' })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  t.equal((await edit(heat, '--poster', await pictureOf('turned.jpg', turned))).code, 0)
  t.match(await inspectPicture(app, await posterOf(heat)), /^120x160 jpeg/)
  const kept = await db.oneFirst(sql.unsafe`select bytes from edited_posters where media_item_id = ${heat}`)
  t.equal((await sharp(kept as Buffer).metadata()).exif, undefined)
})

void t.test('an invalid picture is refused with the reason, and nothing is changed', async (t) => {
  await edit(heat, '--poster', red)
  const address = await posterOf(heat)
  const jpeg = await plain(400, 600).jpeg().toBuffer()
  const huge = await plain(20_000, 20_000)
    .webp()
    .toBuffer()
    .catch(() => plain(16_000, 16_000).webp().toBuffer())
  const refused: [name: string, bytes: Buffer | string, message: RegExp][] = [
    ['text.jpg', 'no picture', /not a picture/],
    ['empty.jpg', '', /not a picture/],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>', /not a picture/],
    ['page.pdf', '%PDF-1.4', /not a picture/],
    ['moving.gif', await plain(200, 200).gif().toBuffer(), /GIF.*JPEG, PNG or WebP/],
    ['cut.jpg', jpeg.subarray(0, jpeg.length / 2), /damaged/],
    ['head.png', Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1'), /damaged/],
    ['small.png', await plain(99, 300).png().toBuffer(), /99 x 300 pixels.*at least 100/],
    ['long.png', await plain(100, 501).png().toBuffer(), /100 x 501 pixels.*5 times/],
    ['huge.webp', huge, /too many pixels/],
    ['heavy.jpg', Buffer.concat([jpeg, Buffer.alloc(32 * 1024 * 1024)]), /more than 32 MiB/],
  ]
  for (const [name, bytes, message] of refused) {
    const { code, document } = await edit(heat, '--poster', await pictureOf(name, bytes), '--title', 'Other')
    t.match({ code, ...document.error }, { code: 'invalid_poster', message }, name)
    t.equal(code, 2, name)
  }
  t.equal(await posterOf(heat), address)
  t.equal(await db.oneFirst(sql.unsafe`select name from media_items where id = ${heat}`), 'Heat')
})

void t.test('a file that is not there or none is named, and a pipe is not waited for', async (t) => {
  const pipe = join(folder, 'pipe.jpg')
  execFileSync('mkfifo', [pipe])
  await mkdir(join(folder, 'folder.jpg'))
  await symlink(join(folder, 'nowhere'), join(folder, 'link.jpg'))
  for (const [name, code, word] of [
    ['missing.jpg', 66, 'file_not_found'],
    ['link.jpg', 66, 'file_not_found'],
    ['red.jpg/x', 66, 'file_not_found'],
    ['folder.jpg', 2, 'not_a_regular_file'],
    ['pipe.jpg', 2, 'not_a_regular_file'],
  ] as const) {
    const path = join(folder, name)
    t.match(await edit(heat, '--poster', path), { code, document: { error: { code: word, message: path } } }, name)
  }
  t.match(await edit(heat, '--poster', red, '--reset', 'poster'), { code: 2, document: { error: { code: 'usage' } } })
  const unknown = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
  t.match(await edit(unknown, '--poster', red), { code: 66, document: { error: { code: 'media_item_not_found' } } })
})
