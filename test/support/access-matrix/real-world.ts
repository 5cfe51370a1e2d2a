import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { EVERYTHING, type AccessRule } from '../../../src/core/access/index.ts'
import { createAccount, type Account } from '../../../src/core/accounts/index.ts'
import { startDownloadWorker } from '../../../src/core/downloads/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { fileOfItem, makeSet } from '../../core/analysis/trickplay/made-set.ts'
import { pick, startApp, type TestApp } from '../app.ts'
import { cbzOf } from '../book-files.ts'
import { reachableDirectory } from '../directories.ts'
import { sampleMedia } from '../media.ts'
import { jpegWith } from '../pictures.ts'
import { scanLibrary } from '../scan-library.ts'
import { putFile } from '../scanning.ts'
import { putAudio } from '../tagged-audio.ts'
import { waitUntil } from '../wait-until.ts'
import { unlimitedServices } from './unlimited-services.ts'

/** Who asks: an account or one of its profiles. */
export type Viewer = { account: Account; profileId: string; token: string }

/** What is hidden from `blind` and from `kid`, by the words for it in the table of places: ids, names and days. */
export type Hidden = {
  film: string
  openFilm: string
  libraryId: string
  series: string
  episode: string
  track: string
  artist: string
  album: string
  photo: string
  day: string
  month: string
  book: string
  audiobook: string
  picture: string
  subtitle: string
  jobId: string
  rung: string
  collectionId: string
  smartCollectionId: string
  playlistId: string
}

export type RealWorld = TestApp & {
  admin: Viewer
  /** Limited too, so that it reads through views, but not in what it sees. */
  seeing: Viewer
  blind: Viewer
  kid: Viewer
  hidden: Hidden
  /** Rates an item: 18 hides it from all who are limited by age, 0 from nobody. */
  rate: (id: string, rating: 'G' | 'NC-17') => Promise<void>
}

/** The titles of hidden things contain it. */
export const HIDDEN_WORD = 'zqhidden'

type Folders = Record<'film' | 'series' | 'music' | 'photo' | 'book' | 'audiobook' | 'vault', string>

/** Real files of every kind, one of each to be hidden and one to stay visible, with all that is made of them, and four viewers. */
export async function startRealWorld(t: Test): Promise<RealWorld> {
  const app = await startApp(t, { services: await unlimitedServices(t) })
  const { services, ask } = app
  const { db } = services
  const { account, token } = await app.registerAdmin()
  const admin = { account, token, profileId: account.id }
  const folders = await fillFolders(t)
  const libraryIds: string[] = []
  for (const [type, folder] of Object.entries(folders)) {
    const kind = { film: 'movie', vault: 'movie' }[type] ?? type
    libraryIds.push((await scanLibrary(services, { folder, type: kind as 'movie' })).id)
  }
  const vaultId = libraryIds.at(-1) ?? ''
  const add = async (username: string, access: AccessRule): Promise<Viewer> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false, access }
    const added = await createAccount(services, input)
    return { account: added, profileId: added.id, token: await app.signIn(added.id) }
  }
  const seeing = await add('seeing', { ...EVERYTHING, libraryIds })
  const blindRule = { libraryIds: libraryIds.slice(0, -1), maxAge: 12, allowsUnrated: true }
  const blind = await add('blind', { ...EVERYTHING, ...blindRule })
  const fields = { name: 'Kid', isKids: true, limits: { ...blindRule, maxAge: 7 } }
  const { id: profileId } = await createProfile(services, { accountId: seeing.account.id, fields })
  const kid = { account: seeing.account, profileId, token: await app.signIn(seeing.account.id, profileId) }

  const idOf = async (name: string, type: string): Promise<string> => {
    const ids = await db.anyFirst(sql.unsafe`
      select id::text from media_items where concat(name, path) ilike ${`%${name}%`} and type = ${type} and role is null limit 1`)
    if (ids.length === 0) throw new Error(`no ${type} ${name}`)
    return String(ids[0])
  }
  const rate: RealWorld['rate'] = async (id, rating) => {
    await db.query(sql.unsafe`
      update media_items set metadata = metadata || ${sql.jsonb({ rating })} where id = ${id}`)
  }
  const [film, openFilm] = [await idOf(HIDDEN_WORD, 'movie'), await idOf('Open', 'movie')]
  const get = async (path: string): Promise<unknown> => (await ask('GET', `/api/v1${path}`, { token })).json
  const post = async (path: string, body: object, method = 'POST'): Promise<unknown> =>
    (await ask(method, `/api/v1${path}`, { token: seeing.token, body })).json
  await makeSet(services, await fileOfItem(services, film))
  await ask('PUT', `/api/v1/media/${film}/markers`, {
    token,
    body: { markers: ['intro', 'outro'].map((type, at) => ({ type, start_ms: at * 2000, end_ms: at * 2000 + 1000 })) },
  })
  const jobId = String(pick(await post(`/media/${film}/transcode`, {}), 'job_id'))
  const rung = await makeDownload(t, app, { film, token: seeing.token })
  const filmsId = String(pick(await get(`/media/${film}`), 'library_id'))
  const inLibrary = { name: HIDDEN_WORD, library_id: filmsId }
  const rules = { logic: 'and', rules: [{ field: 'title', op: 'contains', value: HIDDEN_WORD }] }
  const playlistId = String(pick(await post('/smart-playlists', { ...inLibrary, rules_json: rules }), 'id'))
  const smart = await post('/collections', { ...inLibrary, smart_playlist_id: playlistId })
  const tracks = pick(await get(`/media/${film}/subtitles`), 'tracks') as { id: string; source: string }[]
  const hidden: Hidden = {
    film,
    openFilm,
    libraryId: vaultId,
    series: await idOf(HIDDEN_WORD, 'series'),
    episode: await idOf(HIDDEN_WORD, 'episode'),
    track: await idOf(HIDDEN_WORD, 'audio'),
    artist: `${HIDDEN_WORD} artist`,
    album: `${HIDDEN_WORD} album`,
    photo: await idOf(HIDDEN_WORD, 'image'),
    day: 'album-2001-02-03',
    month: '2001-02',
    book: await idOf(HIDDEN_WORD, 'book'),
    audiobook: await idOf(HIDDEN_WORD, 'audiobook'),
    picture: /artwork\/([^?"]+)/.exec(String(pick(await get(`/media/${film}`), 'poster_url')))?.[1] ?? '',
    subtitle: tracks.find(({ source }) => source === 'external')?.id ?? '',
    jobId,
    rung,
    collectionId: String(pick(await post('/playlists', { name: HIDDEN_WORD, media_id: film }), 'collection', 'id')),
    smartCollectionId: String(pick(smart, 'collection', 'id')),
    playlistId,
  }
  for (const viewer of [seeing, admin]) {
    const tell = (path: string, body: object) => ask('POST', `/api/v1${path}`, { token: viewer.token, body })
    await tell(`/audiobooks/${hidden.audiobook}/progress`, { position_ms: 1, current_chapter_index: 0 })
    await tell(`/books/${hidden.book}/progress`, { current_page: 1 })
    const session = String(pick((await tell('/sessions', {})).json, 'session_id'))
    await tell(`/sessions/${session}/progress`, { media_item_id: film, position_ticks: 1 })
  }
  for (const kind of ['film', 'series', 'episode', 'track', 'photo', 'book', 'audiobook'] as const)
    await rate(hidden[kind], 'NC-17')
  return { ...app, admin, seeing, blind, kid, hidden, rate }
}

async function fillFolders(t: Test): Promise<Folders> {
  const put = async (folder: string, path: string, kind: Parameters<typeof sampleMedia>[0]): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await copyFile(await sampleMedia(kind), join(folder, path))
  }
  const [film, series, music, photo, book, audiobook, vault] = Array.from({ length: 7 }, () => reachableDirectory(t))
  if (vault === undefined || film === undefined || series === undefined || music === undefined)
    throw new Error('folders')
  if (photo === undefined || book === undefined || audiobook === undefined) throw new Error('folders')
  const picture = await jpegWith({ takenAt: '2001:02:03 12:00:00', offset: '+00:00' })
  await put(film, `${HIDDEN_WORD} (1999)/${HIDDEN_WORD} (1999).mkv`, 'film-tracks-mkv')
  await put(film, `${HIDDEN_WORD} (1999)/${HIDDEN_WORD} (1999)-trailer.mp4`, 'film-tiny-mp4')
  await put(film, 'Open (1999)/Open (1999).mp4', 'film-tiny-mp4')
  putFile(film, `${HIDDEN_WORD} (1999)/${HIDDEN_WORD} (1999).de.srt`, '1\n00:00:01,000 --> 00:00:02,000\nHallo\n')
  putFile(film, `${HIDDEN_WORD} (1999)/poster.jpg`, picture)
  for (const name of [HIDDEN_WORD, 'Open'])
    for (const number of [1, 2]) await put(series, `${name}/Season 01/${name} S01E0${number}.mp4`, 'film-tiny-mp4')
  for (const [name, hertz] of [
    [HIDDEN_WORD, 440],
    ['Open', 550],
  ] as const) {
    const tags = { title: name, artist: `${name} artist`, album_artist: `${name} artist`, album: `${name} album` }
    await putAudio(music, `${name}/${name}.mp3`, { tags, hertz })
    await putAudio(audiobook, `${name}/${name}.m4b`, { tags: { ...tags, title: name }, hertz })
  }
  putFile(photo, `${HIDDEN_WORD}.jpg`, picture)
  putFile(photo, 'open.jpg', await jpegWith({ takenAt: '2002:03:04 12:00:00', offset: '+00:00' }))
  for (const name of [HIDDEN_WORD, 'Open']) {
    putFile(book, `${name}/${name}.cbz`, cbzOf(3, `<Title>${name}</Title>`))
    putFile(book, `${name}/${name}.jpg`, picture)
  }
  await put(vault, 'Vault (1998)/Vault (1998).mp4', 'film-tiny-mp4')
  await put(vault, 'theme.mp3', 'song-mp3')
  await put(vault, 'backdrop.mp4', 'film-tiny-mp4')
  return { film, series, music, photo, book, audiobook, vault }
}

/** @returns the quality of a download that is ready */
async function makeDownload(t: Test, { services, ask }: TestApp, { film, token }: { film: string; token: string }) {
  const downloads = startDownloadWorker(services)
  t.teardown(() => downloads.stop())
  const ladder = pick((await ask('GET', `/api/v1/media/${film}/playback-info`, { token })).json, 'quality_ladder')
  const rung = String((ladder as { id: string }[]).at(-1)?.id)
  const path = `/api/v1/media/${film}/download?quality=${rung}`
  await ask('POST', path, { token, body: {} })
  await waitUntil('the download is ready', async () => {
    const { json } = await ask('GET', path, { token })
    if (pick(json, 'status') === 'failed') throw new Error(`no download: ${JSON.stringify(json)}`)
    return pick(json, 'status') === 'ready'
  })
  return rung
}
