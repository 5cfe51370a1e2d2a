import { rmSync } from 'node:fs'
import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'
import { putSample } from '../../../support/scanning.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

void t.test('scan and rescan answer 202 with the job, and the same job while it waits', async (t) => {
  const { ask, registerAdmin, services } = await startApp(t)
  const { token } = await registerAdmin()
  const { library } = await scanFilms(t, services, {})
  for (const [type, message] of [
    ['scan', 'Scan queued'],
    ['rescan', 'Rescan queued'],
  ] as const) {
    const queued = await ask('POST', `/api/v1/libraries/${library.id}/${type}`, { token })
    t.match(queued, { status: 202, json: { job_id: /^[0-9a-f-]{36}$/, status: 'queued', message } })
    const again = await ask('POST', `/api/v1/libraries/${library.id}/${type}`, { token })
    t.equal(pick(again.json, 'job_id'), pick(queued.json, 'job_id'))
    const empty = { token, headers: { 'content-type': 'application/json' } }
    t.equal((await ask('POST', `/api/v1/libraries/${library.id}/${type}`, empty)).status, 202, 'an empty JSON body')
  }
  const rescan = `/api/v1/libraries/${library.id}/rescan`
  t.equal((await ask('POST', rescan, { token, body: { read_every_file: true } })).status, 202)
  const wrong = await ask('POST', rescan, { token, body: { read_every_file: 'yes' } })
  t.match(wrong, { status: 400, json: { code: 'invalid_request', field: 'read_every_file' } })
})

void t.test('status is the newest job, history all of them, newest first', async (t) => {
  const { ask, registerAdmin, services } = await startApp(t)
  const { token } = await registerAdmin()
  const { library } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tiny-mp4' })
  const status = await ask('GET', `/api/v1/libraries/${library.id}/scan-status`, { token })
  t.match(status.json, {
    scan_status: {
      id: /^[0-9a-f-]{36}$/,
      library_id: library.id,
      type: 'scan',
      status: 'completed',
      items_found: 1,
      items_added: 0,
      items_updated: 1,
      items_removed: 0,
      items_failed: 0,
      added_count: 1,
      removed_count: 0,
      error: null,
      queued_at: TIME,
      started_at: TIME,
      completed_at: TIME,
    },
  })
  const queued = await ask('POST', `/api/v1/libraries/${library.id}/rescan`, { token })
  const history = await ask('GET', `/api/v1/libraries/${library.id}/scan-history`, { token })
  t.match(history.json, {
    history: [
      { id: pick(queued.json, 'job_id'), type: 'rescan', status: 'queued', started_at: null, completed_at: null },
      { id: pick(status.json, 'scan_status', 'id'), status: 'completed' },
    ],
  })
  for (const [limit, count] of [
    ['1', 1],
    ['0', 1],
    ['-3', 1],
    ['1000', 2],
    ['', 2],
  ] as const) {
    const page = await ask('GET', `/api/v1/libraries/${library.id}/scan-history?limit=${limit}`, { token })
    t.equal((pick(page.json, 'history') as unknown[]).length, count, `limit ${limit}`)
  }
  const bad = await ask('GET', `/api/v1/libraries/${library.id}/scan-history?limit=many`, { token })
  t.match(bad, { status: 400, json: { code: 'invalid_request', field: 'limit' } })
})

void t.test('unknown libraries are 404', async (t) => {
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  for (const [method, path] of [
    ['POST', 'scan'],
    ['POST', 'rescan'],
    ['GET', 'scan-status'],
    ['GET', 'scan-history'],
  ] as const) {
    for (const id of [UNKNOWN, 'x']) {
      const answer = await ask(method, `/api/v1/libraries/${id}/${path}`, { token })
      t.match(answer, { status: 404, json: { error: 'Library not found', code: 'library_not_found' } })
    }
  }
})

void t.test(
  'all libraries count added and removed items; movies, series and videos not under the old keys',
  async (t) => {
    const { ask, registerAdmin, services } = await startApp(t)
    const { token } = await registerAdmin()
    for (const [type, name, kind, shown] of [
      ['movie', 'A film (1999).mp4', 'film-tiny-mp4', 0],
      ['series', 'Show/Show S01E01.mp4', 'film-tiny-mp4', 0],
      ['video', 'Clip.mp4', 'film-tiny-mp4', 0],
      ['music', 'Song.mp3', 'song-mp3', 1],
    ] as const) {
      const folder = reachableDirectory(t)
      const path = await putSample(folder, name, kind)
      const { id } = await scanLibrary(services, { folder, type })
      const jobOf = async (): Promise<unknown> =>
        pick((await ask('GET', `/api/v1/libraries/${id}/scan-status`, { token })).json, 'scan_status')
      const added = await jobOf()
      t.match(added, { status: 'completed', items_added: shown, items_removed: 0, removed_count: 0 }, type)
      t.ok(Number(pick(added, 'added_count')) > 0, `${type}: the real number of added items`)
      // An empty folder would count as an unmounted disk.
      await putSample(folder, name.replace('.', ' 2.'), kind)
      rmSync(path)
      await scanAgain(services, id, 'rescan')
      const removed = await jobOf()
      t.match(removed, { status: 'completed', items_removed: shown }, type)
      t.ok(Number(pick(removed, 'removed_count')) > 0, `${type}: the real number of removed items`)
    }
  },
)
