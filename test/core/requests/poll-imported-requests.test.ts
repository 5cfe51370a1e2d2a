import { mock } from 'node:test'
import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { acquireSessionLock } from '../../../src/core/platform/database/index.ts'
import { approveRequest, listRequests, pollImportedRequests, submitRequest } from '../../../src/core/requests/index.ts'
import { startFakeRadarr } from '../../support/fake-radarr.ts'
import { testServices } from '../../support/services.ts'

const radarr = await startFakeRadarr(t)
const services = await testServices(t, {
  flags: {
    'acquisition.radarr.url': radarr.url,
    'acquisition.radarr.api_key': radarr.apiKey,
    'acquisition.poll_seconds': '60',
  },
})
const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse', isAdmin: false }
const { id: userId } = await createAccount(services, account)
mock.timers.enable({ apis: ['setInterval'] })
t.teardown(() => mock.timers.reset())

async function approved(catalogId: number): Promise<void> {
  const fields = { type: 'movie', catalogId, title: 'A film' }
  await approveRequest(services, await submitRequest(services, { userId, fields }))
}

/** Resolves with the next answered request. */
function nextAnswer(): Promise<string> {
  return new Promise((resolve) => {
    const stop = services.events.subscribe('request.answered', ({ status }) => {
      stop()
      resolve(status)
    })
  })
}

void t.test('imports are checked every poll_seconds, until polling stops', async (t) => {
  await approved(603)
  Object.assign(radarr.movies[0] ?? {}, { hasFile: true })
  const polling = pollImportedRequests(services)
  t.teardown(() => polling.stop())
  const calls = radarr.calls.length
  mock.timers.tick(59_000)
  t.equal(radarr.calls.length, calls, 'not before its time')
  const answer = nextAnswer()
  mock.timers.tick(1000)
  t.equal(await answer, 'available')
  await approved(604)
  await polling.stop()
  Object.assign(radarr.movies[1] ?? {}, { hasFile: true })
  const after = radarr.calls.length
  mock.timers.tick(120_000)
  t.equal(radarr.calls.length, after)
  t.equal((await listRequests(services, { status: 'approved' })).length, 1)
})

void t.test('while another daemon of the database polls, this one does not', async (t) => {
  // With real timers: the lock has a heartbeat every two seconds.
  mock.timers.reset()
  const lock = await acquireSessionLock({ connectionUri: services.connectionUri, key: 'phlix:arrivals' })
  mock.timers.enable({ apis: ['setInterval'] })
  const polling = pollImportedRequests(services)
  const calls = radarr.calls.length
  mock.timers.tick(60_000)
  await polling.stop()
  t.equal(radarr.calls.length, calls)
  await lock?.release()
})

void t.test('stopping aborts a running check', async (t) => {
  const polling = pollImportedRequests(services)
  radarr.behaviour = 'silent'
  mock.timers.tick(60_000)
  await polling.stop()
  t.equal((await listRequests(services, { status: 'approved' })).length, 1)
  radarr.behaviour = 'well'
})
