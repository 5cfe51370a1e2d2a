import { mock } from 'node:test'
import t from 'tap'

type Failure = { fatal: boolean; type: string; details: string; response?: { code: number } }
type Listener = (event: string, failure?: Failure) => void
type Recovery = {
  recoverFromErrors: (
    hls: object,
    types: object,
    listeners: { onGone: () => void; onProblem: (details: string) => void; now?: () => number },
  ) => void
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/player/hls-recovery.js', import.meta.url).href
const { recoverFromErrors } = (await import(path)) as Recovery

const TYPES = {
  Events: { ERROR: 'error', FRAG_LOADED: 'loaded', DESTROYING: 'destroying' },
  ErrorTypes: { NETWORK_ERROR: 'network', MEDIA_ERROR: 'media' },
}

/** hls.js as far as the recovery uses it. `calls` has what was done. */
function setUp(levels: readonly object[] = [{}]) {
  const calls: string[] = []
  const listeners = new Map<string, Listener>()
  let now = 0
  const hls = {
    levels,
    url: 'master.m3u8',
    on: (event: string, listener: Listener) => listeners.set(event, listener),
    startLoad: () => calls.push('load'),
    loadSource: (url: string) => calls.push(`source ${url}`),
    recoverMediaError: () => calls.push('repair'),
  }
  const onGone = () => calls.push('gone')
  const onProblem = (details: string) => calls.push(`problem ${details}`)
  recoverFromErrors(hls, TYPES, { onGone, onProblem, now: () => now })
  const emit = (event: string, failure?: Failure) => listeners.get(event)?.(event, failure)
  const fail = (type: string, code?: number, fatal = true) =>
    emit('error', { fatal, type, details: 'fragLoadError', ...(code === undefined ? {} : { response: { code } }) })
  return { calls, emit, fail, wait: (milliseconds: number) => (now += milliseconds) }
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

void t.test('failed requests are repeated for half a minute, and the user is told then', (t) => {
  const { calls, fail } = setUp()
  for (const pause of [500, 1000, 2000, 4000, 8000, 8000, 8000]) {
    fail('network', 0)
    mock.timers.tick(pause - 1)
    const before = calls.length
    mock.timers.tick(1)
    t.equal(calls.length, before + 1, `after ${pause} ms`)
  }
  fail('network', 0)
  t.equal(calls.at(-1), 'problem fragLoadError')
  t.end()
})

void t.test('a loaded segment gives all attempts again', (t) => {
  const { calls, emit, fail } = setUp()
  for (let count = 0; count < 20; count += 1) {
    fail('network', 503)
    mock.timers.tick(500)
    emit('loaded')
  }
  t.strictSame(new Set(calls), new Set(['load']))
  t.end()
})

void t.test('a stream that the server does not know any more is requested again', (t) => {
  for (const code of [403, 404, 410]) {
    const { calls, fail } = setUp()
    fail('network', code)
    t.strictSame(calls, ['gone'], String(code))
  }
  t.end()
})

void t.test('at the first 410 nothing more is tried, also while hls.js would try other qualities', (t) => {
  const { calls, fail } = setUp()
  fail('network', 410, false)
  fail('network', 410, false)
  fail('network', 410)
  t.strictSame(calls, ['gone'])
  t.end()
})

void t.test('without its list of segments the stream is opened again', (t) => {
  const { calls, fail } = setUp([])
  fail('network')
  mock.timers.tick(500)
  t.strictSame(calls, ['source master.m3u8'])
  t.end()
})

void t.test('the decoder is repaired once in five seconds', (t) => {
  const { calls, fail, wait } = setUp()
  fail('media')
  wait(4999)
  fail('media')
  wait(1)
  fail('media')
  t.strictSame(calls, ['repair', 'problem fragLoadError', 'repair'])
  t.end()
})

void t.test('errors that hls.js handles itself, and a closed player, cause nothing', (t) => {
  const { calls, emit, fail } = setUp()
  fail('network', 503, false)
  fail('media', undefined, false)
  fail('network', 503)
  emit('destroying')
  mock.timers.tick(60_000)
  t.strictSame(calls, [])
  t.end()
})
