import type { Test } from 'tap'
import { pick, startApp, type TestApp } from '../app.ts'
import { scanAudiobookLibrary } from '../audiobook-library.ts'
import { makeItems } from '../catalogue-items.ts'
import { reachableDirectory } from '../directories.ts'
import { makeSongs } from '../music-library.ts'
import { jpegWith } from '../pictures.ts'
import { scanLibrary } from '../scan-library.ts'
import { putFile } from '../scanning.ts'
import { putAudio } from '../tagged-audio.ts'

export const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

/** A server with one row of every kind, and their ids. */
export type Filled = TestApp & {
  token: string
  adminToken: string
  film: string
  otherFilm: string
  series: string
  episode: string
  libraryId: string
  song: string
  audiobook: string
  photo: string
  day: string
  sessionId: string
  smartPlaylistId: string
  collectionId: string
  smartCollectionId: string
  requestId: string
  webhookId: string
}

const FACTS = {
  genres: ['Drama'],
  actors: ['Ada Ames'],
  director: 'Bo Berg',
  overview: 'What happens.',
  rating: 'PG-13',
  external_ids: { tmdb: 603 },
}

/** A daemon with films, a series, songs, an audiobook and a photo, and with positions and marks of its user. */
export async function startFilledServer(t: Test): Promise<Filled> {
  const server = await startApp(t)
  const { services, registerAdmin, registerUser, ask } = server
  const [{ token: adminToken }, { token }] = [await registerAdmin(), await registerUser()]
  const [film = '', otherFilm = '', , watched = '', episode = ''] = await makeItems(services.db, t.testdir(), [
    { name: 'Alpha', sortTitle: 'Alpha', metadata: FACTS },
    { name: 'Beta', sortTitle: 'Beta', metadata: FACTS },
    { name: 'Gamma', sortTitle: 'Gamma', metadata: FACTS },
    ...[1, 2].map((number) => ({
      type: 'episode' as const,
      name: `Episode ${number}`,
      sortTitle: `Episode ${number}`,
      seasonNumber: 1,
      episodeNumber: number,
      path: `/shows/Show/${number}.mkv`,
      groups: [
        { type: 'series' as const, key: 'show', name: 'Show', sortTitle: 'Show', year: 2010, metadata: {} },
        {
          type: 'season' as const,
          key: 'show/1',
          name: 'Season 1',
          sortTitle: 'Season 1',
          year: null,
          seasonNumber: 1,
          metadata: {},
        },
      ],
    })),
  ])
  const [song = ''] = await makeSongs(services.db, t.testdir({ songs: {} }), [
    { name: 'Sine' },
    { name: 'Saw', track: 2 },
  ])
  const { idOf } = await scanAudiobookLibrary(t, services, {
    type: 'audiobook',
    fill: async (folder) => void (await putAudio(folder, 'Lem/Solaris.ogg')),
  })
  const folder = reachableDirectory(t)
  putFile(folder, 'trip/evening.jpg', await jpegWith({ takenAt: '2024:05:06 23:30:00', offset: '+02:00' }))
  await scanLibrary(services, { folder, type: 'photo' })
  const get = async (path: string) => (await ask('GET', `/api/v1${path}`, { token })).json
  const sessionId = String(pick((await ask('POST', '/api/v1/sessions', { token })).json, 'session_id'))
  const report = (id: string, ticks: number) =>
    ask('POST', `/api/v1/sessions/${sessionId}/progress`, {
      token,
      body: { media_item_id: id, position_ticks: ticks, duration_ticks: 1_000_000_000, is_paused: false },
    })
  await report(otherFilm, 200_000_000)
  await report(watched, 950_000_000)
  await ask('POST', `/api/v1/sessions/${sessionId}/complete`, {
    token,
    body: { media_item_id: watched, reached_end: true },
  })
  await ask('POST', `/api/v1/media/${otherFilm}/favorite`, { token })
  const audiobook = [...idOf.values()][0] ?? ''
  await ask('POST', `/api/v1/audiobooks/${audiobook}/progress`, {
    token,
    body: { position_ms: 1, current_chapter_index: 0 },
  })
  const libraryId = String(pick(await get(`/media/${film}`), 'library_id'))
  return {
    ...server,
    token,
    adminToken,
    film,
    otherFilm,
    episode,
    series: String(pick(await get('/media?types[]=series'), 'items', 0, 'id')),
    libraryId,
    song,
    audiobook,
    photo: String(pick(await get('/photo/photos'), 'photos', 0, 'id')),
    day: String(pick(await get('/photo/albums'), 'albums', 0, 'date')),
    sessionId,
    ...(await organise(server, { token, adminToken, libraryId })),
  }
}

/** Creates a smart playlist, a collection, a media request and a webhook. */
async function organise({ ask }: TestApp, by: { token: string; adminToken: string; libraryId: string }) {
  const make = async (path: string, body: object, token = by.token): Promise<unknown> =>
    (await ask('POST', `/api/v1${path}`, { token, body })).json
  const inLibrary = { library_id: by.libraryId }
  const rules = { logic: 'and', rules: [{ field: 'title', op: 'contains', value: 'a' }] }
  const playlist = await make('/smart-playlists', { ...inLibrary, name: 'All with a', rules_json: rules })
  const smartPlaylistId = String(pick(playlist, 'id'))
  const manual = await make('/collections', { ...inLibrary, name: 'By hand' })
  const smart = await make('/collections', { ...inLibrary, name: 'By rule', smart_playlist_id: smartPlaylistId })
  const request = await make('/me/requests', { type: 'movie', tmdb_id: 603, title: 'The Matrix' })
  const hook = { name: 'Home', url: 'https://1.1.1.1/hook', secret: 'a shared secret', events: ['library.updated'] }
  return {
    smartPlaylistId,
    collectionId: String(pick(manual, 'collection', 'id')),
    smartCollectionId: String(pick(smart, 'collection', 'id')),
    requestId: String(pick(request, 'request', 'id')),
    webhookId: String(pick(await make('/admin/webhooks', hook, by.adminToken), 'webhook', 'id')),
  }
}
