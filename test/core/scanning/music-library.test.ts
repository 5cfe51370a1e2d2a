import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { selectArtworkSources } from '../../../src/core/artwork/queries/artwork-sources.ts'
import { albumsOf, countMusic } from '../../support/music-rows.ts'
import { countRows, putFile, putNoise, scannedLibrary } from '../../support/scanning.ts'
import { putAudio } from '../../support/tagged-audio.ts'

const WAVES = {
  artist: 'Oscillator',
  album_artist: 'Oscillator',
  album: 'Waves',
  date: '2004-05-06',
  genre: 'Electronic',
}

function song(title: string, track: string, more: Record<string, string> = {}) {
  return { tags: { ...WAVES, title, track, ...more } }
}

void t.test('every audio file is an item of type audio with the facts from its tags', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'a/one.mp3', song('Sine', '1/2', { disc: '1/1' }))
  await putAudio(folder, 'a/two.flac', song('The Square', '2/2', { genre: 'Electronic;Ambient' }))
  writeFileSync(join(folder, 'a/cover.jpg'), 'a picture')
  t.match(await scan(), { status: 'completed', itemsFound: 2, itemsAdded: 2, itemsFailed: 0 })
  const found = await items()
  t.match(found.get('a/one.mp3'), { type: 'audio', name: 'Sine', sortTitle: 'Sine', year: 2004, parentId: null })
  t.match(found.get('a/one.mp3'), { container: 'mp3', probeError: null })
  t.match(found.get('a/one.mp3')?.metadata, {
    artist: 'Oscillator',
    album: 'Waves',
    album_artist: 'Oscillator',
    genres: ['Electronic'],
    year: 2004,
    track_number: 1,
    track_count: 2,
    disc_number: 1,
  })
  t.ok(Math.abs((found.get('a/one.mp3')?.durationSeconds ?? 0) - 2) < 0.1)
  t.match(found.get('a/two.flac'), { name: 'The Square', sortTitle: 'Square' })
  t.match(found.get('a/two.flac')?.metadata, { genres: ['Electronic', 'Ambient'], air_date: '2004-05-06' })
  await scan()
  t.strictSame(services.probed, [], 'a scan opens nothing that has not changed')
  await scan('rescan')
  t.strictSame(services.probed, [], 'nor does a rescan')
  t.strictSame(await items(), found)
})

void t.test('album.nfo fills the gaps in the tags of its songs, only for its own album', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'x/one.mp3', { tags: { title: 'Sine', track: '1', artist: 'Guest' } })
  await putAudio(folder, 'x/two.mp3', {
    tags: { title: 'Saw', track: '2', artist: 'Oscillator', album: 'waves', date: '1999' },
  })
  await putAudio(folder, 'x/three.mp3', song('Other', '3', { album: 'Particles' }))
  const nfo = (artist: string) =>
    `<album><title>Waves</title><artist>${artist}</artist><year>2004</year><genre>Ambient</genre><review>Calm.</review>
    <label>Bench</label></album>`
  putFile(folder, 'x/album.nfo', nfo('Oscillator'))
  t.match(await scan(), { status: 'completed', itemsFound: 3, itemsFailed: 0 })
  const found = await items()
  t.match(found.get('x/one.mp3'), {
    year: 2004,
    metadata: {
      artist: 'Guest',
      album: 'Waves',
      album_artist: 'Oscillator',
      genres: ['Ambient'],
      publisher: 'Bench',
      album_overview: 'Calm.',
    },
  })
  t.match(found.get('x/two.mp3'), { year: 1999, metadata: { album: 'waves', album_artist: 'Oscillator' } })
  t.match(found.get('x/three.mp3'), { year: 2004, metadata: { album: 'Particles', genres: ['Electronic'] } })
  t.notOk('album_overview' in (found.get('x/three.mp3')?.metadata ?? {}))
  t.strictSame(await countMusic(db), { artists: 1, albums: 2, tracks: 3 })
  putFile(folder, 'x/album.nfo', nfo('Ensemble'))
  await scan()
  t.match(
    (await items()).get('x/one.mp3'),
    { metadata: { album_artist: 'Ensemble' } },
    'it is read again after a change',
  )
  putFile(folder, 'x/album.nfo', '<album><title>')
  await scan()
  t.notOk('album_artist' in ((await items()).get('x/one.mp3')?.metadata ?? {}), 'it is ignored when broken')
})

void t.test('an album in two disc folders is one, with the cover of the folder above', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'Oscillator/Waves/CD1/01.mp3', song('Sine', '1'))
  await putAudio(folder, 'Oscillator/Waves/CD2/01.mp3', song('Saw', '1'))
  await putAudio(folder, 'elsewhere/bonus.mp3', song('Bonus', '1', { disc: '3' }))
  writeFileSync(join(folder, 'Oscillator/Waves/Folder.JPG'), 'a picture')
  writeFileSync(join(folder, 'Oscillator/Waves/back.jpg'), 'another')
  await scan()
  t.strictSame(await albumsOf(db), { 'Oscillator / Waves': ['1.1 Sine', '2.1 Saw', '3.1 Bonus'] })
  t.strictSame(await countMusic(db), { artists: 1, albums: 1, tracks: 3 })
  t.strictSame(await artOf(db), [{ source: 'file', path: join(folder, 'Oscillator/Waves/Folder.JPG') }])
  rmSync(join(folder, 'Oscillator/Waves/Folder.JPG'))
  await scan()
  t.strictSame(await artOf(db), [])
  writeFileSync(join(folder, 'elsewhere/cover.png'), 'a picture')
  await scan()
  t.strictSame(await artOf(db), [{ source: 'file', path: join(folder, 'elsewhere/cover.png') }])
})

void t.test('the embedded picture of its files is the picture of an album, stored as a hash', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'a/1.mp3', song('Sine', '1'))
  await putAudio(folder, 'a/2.mp3', { ...song('Saw', '2'), hasPicture: true })
  await putAudio(folder, 'a/3.flac', { ...song('Square', '3'), hasPicture: true })
  await scan()
  t.strictSame(await artOf(db), [{ source: 'inside', path: join(folder, 'a/2.mp3') }])
  const hashes = await db.anyFirst(sql.unsafe`
    select distinct encode(picture_hash, 'hex') from music_tracks where picture_hash is not null`)
  t.match(hashes, [/^[0-9a-f]{64}$/], 'the same picture has the same hash')
  t.equal(hashes.length, 1)
})

void t.test('a picture for the artist above an album is no cover of the album', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'Oscillator/Waves/01.mp3', song('Sine', '1'))
  writeFileSync(join(folder, 'Oscillator/folder.jpg'), 'the artist')
  await scan()
  t.strictSame(await artOf(db), [])
})

async function artOf(db: Parameters<typeof albumsOf>[0]) {
  const ids = await db.anyFirst(sql.unsafe`select id from music_albums`)
  const found = await selectArtworkSources(db, ids.map(String), { kind: 'cover' })
  return found.map(({ source, path }) => ({ source, path }))
}

void t.test('a compilation is of various artists, and its tracks keep who plays them', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  const hit = (title: string, track: string, artist: string, more: Record<string, string>) => ({
    tags: { title, track, artist, album: 'Hits', ...more },
  })
  await putAudio(folder, 'Hits/1.mp3', hit('One', '1', 'Ada', { compilation: '1' }))
  await putAudio(folder, 'Hits/2.m4a', hit('Two', '2', 'Bob', { compilation: '1' }))
  await putAudio(folder, 'Hits/3.flac', hit('Three', '3', 'Cleo', { album_artist: 'VARIOUS ARTISTS' }))
  await putAudio(folder, 'Mine/4.mp3', hit('Four', '4', 'Ada', {}))
  await putAudio(folder, 'Mine/5.mp3', hit('Five', '5', 'ada feat. Bob', {}))
  await scan()
  t.strictSame(await albumsOf(db), {
    'Ada / Hits': ['-.4 Four', '-.5 Five'],
    'Various Artists / Hits': ['-.1 One', '-.2 Two', '-.3 Three'],
  })
  t.match((await items()).get('Hits/2.m4a')?.metadata, {
    artist: 'Bob',
    album_artist: 'Various Artists',
    compilation: true,
  })
})

void t.test('songs of several artists in one folder whose album names no artist are one album', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  const hit = (title: string, track: string, artist: string) => ({ tags: { title, track, artist, album: 'Hits' } })
  await putAudio(folder, 'Hits/CD1/1.mp3', hit('One', '1', 'Ada'))
  await putAudio(folder, 'Hits/CD2/2.mp3', hit('Two', '2', 'Bob'))
  await putAudio(folder, 'Own/3.mp3', hit('Three', '3', 'Ada'))
  await putAudio(folder, 'Own/4.mp3', hit('Four', '4', 'ada, Cleo'))
  await putAudio(folder, 'Untagged/01 - Ada - Five.mp3')
  await putAudio(folder, 'Untagged/02 - Bob - Six.mp3')
  await scan()
  const various = { 'Various Artists / Untagged': ['-.1 Five', '-.2 Six'] }
  t.strictSame(await albumsOf(db), {
    'Ada / Hits': ['-.3 Three', '-.4 Four'],
    'Various Artists / Hits': ['1.1 One', '2.2 Two'],
    ...various,
  })
  rmSync(join(folder, 'Hits/CD2/2.mp3'))
  await scan('rescan')
  t.strictSame(
    await albumsOf(db),
    { 'Ada / Hits': ['1.1 One', '-.3 Three', '-.4 Four'], ...various },
    'the remaining albums',
  )
})

void t.test('albums of one title and artist are distinguished by their MusicBrainz release', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  const release = (digit: string) => ({ 'MusicBrainz Album Id': digit.repeat(8) + '-1111-4111-8111-111111111111' })
  await putAudio(folder, 'a/1.mp3', song('Sine', '1', release('a')))
  await putAudio(folder, 'b/1.mp3', song('Sine', '1', release('b')))
  await putAudio(folder, 'c/1.mp3', song('Saw', '2', release('b')))
  await scan()
  t.strictSame(await countMusic(db), { artists: 1, albums: 2, tracks: 3 })
})

void t.test('files without tags use their names and folders', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'Oscillator/2004 - Waves/01 - Sine.mp3')
  await putAudio(folder, 'Oscillator/2004 - Waves/CD 2/05 Saw.flac')
  await putAudio(folder, 'Ada - Notes (1999)/B2. Fugue.mp3')
  await putAudio(folder, 'lonely.mp3')
  const noise = putNoise(folder, 'Oscillator/2004 - Waves/03 - Noise.mp3', 5000)
  t.match(await scan(), { itemsAdded: 5, itemsFailed: 1 })
  t.strictSame(await albumsOf(db), {
    'Ada / Notes': ['2.2 Fugue'],
    'Oscillator / Waves': ['2.5 Saw', '-.1 Sine', '-.3 Noise'],
    '-': ['-.- lonely'],
  })
  const found = await items()
  t.match(found.get('Oscillator/2004 - Waves/01 - Sine.mp3'), { name: 'Sine', year: 2004 })
  t.match(found.get('Oscillator/2004 - Waves/01 - Sine.mp3')?.metadata, { artist: 'Oscillator', album: 'Waves' })
  t.match(found.get('Oscillator/2004 - Waves/03 - Noise.mp3'), { probeError: /./ }, noise)
})

void t.test('songs with tags but no album have no album, unless their folder is their artist’s', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  const loose = (title: string) => ({ tags: { title, artist: 'Ada' } })
  await putAudio(folder, 'Downloads/new/x.mp3', loose('Fugue'))
  await putAudio(folder, 'ada/Notes/y.mp3', loose('Canon'))
  await scan()
  t.strictSame(await albumsOf(db), { 'Ada / Notes': ['-.- Canon'], 'Ada / -': ['-.- Fugue'] })
  t.notOk('album' in ((await items()).get('Downloads/new/x.mp3')?.metadata ?? {}))
})

void t.test('changed tags change the album, and an empty album is removed', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'a/1.mp3', song('Sine', '1'))
  await putAudio(folder, 'a/2.mp3', song('Saw', '2'))
  await scan()
  const before = await items()
  await putAudio(folder, 'a/1.mp3', song('Sinus', '1', { album: 'Curves', album_artist: 'Ada', artist: 'Ada' }))
  await scan()
  t.strictSame(await albumsOf(db), { 'Ada / Curves': ['-.1 Sinus'], 'Oscillator / Waves': ['-.2 Saw'] })
  await putAudio(folder, 'a/2.mp3', song('Saw', '2', { album: 'CURVES', album_artist: 'ADA' }))
  await scan()
  t.strictSame(await albumsOf(db), { 'ADA / CURVES': ['-.1 Sinus', '-.2 Saw'] }, 'case makes no other album')
  t.strictSame(await countMusic(db), { artists: 1, albums: 1, tracks: 2 })
  await putAudio(folder, 'a/1.mp3', {})
  await scan()
  t.match((await items()).get('a/1.mp3'), { name: '1', id: before.get('a/1.mp3')?.id }, 'and no tags are no name')
})

void t.test('a rescan removes the albums of removed tracks', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'a/1.mp3', song('Sine', '1'))
  await putAudio(folder, 'b/1.mp3', song('Fugue', '1', { album_artist: 'Ada', album: 'Notes' }))
  writeFileSync(join(folder, 'b/cover.jpg'), 'a picture')
  await scan()
  rmSync(join(folder, 'b'), { recursive: true })
  await scan()
  t.strictSame(await countMusic(db), { artists: 2, albums: 2, tracks: 2 }, 'a scan keeps items that may return')
  t.match(await scan('rescan'), { itemsRemoved: 1 })
  t.strictSame(await countMusic(db), { artists: 1, albums: 1, tracks: 1 })
  t.strictSame(await db.anyFirst(sql.unsafe`select path from music_covers`), [])
})

void t.test('the tracks of a moved album keep their ids', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'Oscillator/Waves/01 - Sine.mp3', song('Sine', '1'))
  await putAudio(folder, 'Oscillator/Waves/02 - Saw.mp3', song('Saw', '2'))
  await putAudio(folder, 'Oscillator/Bare/01 - Bare.mp3', { hertz: 300 })
  await scan()
  const before = await items()
  mkdirSync(join(folder, 'New'))
  renameSync(join(folder, 'Oscillator/Waves'), join(folder, 'New/Waves 2004'))
  renameSync(join(folder, 'Oscillator/Bare'), join(folder, 'New/Naked'))
  await scan()
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 0 })
  const after = await items()
  t.equal(after.get('New/Waves 2004/01 - Sine.mp3')?.id, before.get('Oscillator/Waves/01 - Sine.mp3')?.id)
  t.equal(after.get('New/Waves 2004/02 - Saw.mp3')?.id, before.get('Oscillator/Waves/02 - Saw.mp3')?.id)
  t.equal(after.get('New/Naked/01 - Bare.mp3')?.id, before.get('Oscillator/Bare/01 - Bare.mp3')?.id)
  t.equal(after.size, 3)
  t.strictSame(
    await albumsOf(db),
    { 'New / Naked': ['-.1 Bare'], 'Oscillator / Waves': ['-.1 Sine', '-.2 Saw'] },
    'and without tags the new folders name the album',
  )
  t.strictSame(await countMusic(db), { artists: 2, albums: 2, tracks: 3 })
  t.strictSame((await countRows(db)).items, 3)
})

void t.test('a rescan that reads every file reads the tags of all of them again', async (t) => {
  const { db, folder, scan, services } = await scannedLibrary(t, { type: 'music' })
  await putAudio(folder, 'a/1.mp3', song('Sine', '1'))
  await putAudio(folder, 'b/2.mp3', song('Saw', '2'))
  await scan()
  await db.query(sql.unsafe`update media_items set name = 'wrong'`)
  await db.query(sql.unsafe`update music_tracks set track_number = 9`)
  t.match(await scan('rescan', { readEveryFile: true }), { itemsFound: 2, itemsAdded: 0, itemsUpdated: 2 })
  t.equal(services.probed.length, 2)
  t.strictSame(await albumsOf(db), { 'Oscillator / Waves': ['-.1 Sine', '-.2 Saw'] })
})

void t.test('names of any length and kind are stored', async (t) => {
  const { db, folder, scan } = await scannedLibrary(t, { type: 'music' })
  const long = Array.from({ length: 900 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join(
    '',
  )
  await putAudio(folder, 'a/1.mp3', { tags: { title: long, album: long, artist: long, track: '0' } })
  await putAudio(folder, 'a/2.mp3', { tags: { title: 'x', album: `${long}!`, artist: `${long}?`, disc: '0' } })
  t.match(await scan(), { status: 'completed', itemsAdded: 2, itemsFailed: 0 })
  t.strictSame(await countMusic(db), { artists: 1, albums: 1, tracks: 2 })
})
