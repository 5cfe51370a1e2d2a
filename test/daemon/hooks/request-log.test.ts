import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { AppError } from '../../../src/core/platform/errors/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp } from '../../support/app.ts'
import { testServices } from '../../support/services.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Line = Record<string, unknown>

const routes: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '/fine',
    config: { access: 'public', reveals: 'none' },
    handler: async () => ({ fine: true }),
  })
  app.route({
    method: 'GET',
    url: '/bug',
    config: { access: 'public', reveals: 'none' },
    handler: async () => {
      throw Object.assign(new Error('it broke', { cause: new Error('the disk') }), { values: ['hunter2'] })
    },
  })
  app.route({
    method: 'GET',
    url: '/busy',
    config: { access: 'public', reveals: 'none' },
    handler: async () => {
      throw new AppError({ kind: 'busy', code: 'sign_in_busy', title: 'Too many', retryAfterSeconds: 2 })
    },
  })
  app.route({
    method: 'GET',
    url: '/me',
    config: { access: 'user', reveals: 'none' },
    handler: async () => ({ me: true }),
  })
}

async function setUp(t: Test) {
  const lines: Line[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line)
      done()
    },
  })
  const services = await testServices(t)
  const log = await createLogger(services.config, { level: 'info', destination })
  const server = await startApp(t, { routes: [['', routes]], services: { ...services, log } })
  const requestLines = (): Line[] => lines.filter(({ msg }) => msg === 'request')
  /** Waits for the line of the last request, which is written shortly after the response. */
  const lineAfter = async (count: number): Promise<Line | undefined> => {
    await waitUntil(`${count} lines`, () => requestLines().length >= count)
    t.equal(requestLines().length, count, 'one line per request')
    return requestLines().at(-1)
  }
  return { ...server, lines, lineAfter }
}

void t.test('a rate-limited request is logged without error level and stack', async (t) => {
  const { ask, lineAfter } = await setUp(t)
  t.equal((await ask('GET', '/busy')).status, 503)
  const line = await lineAfter(1)
  t.match(line, { level: 'info', status: 503, code: 'sign_in_busy' })
  t.notOk('failure' in (line ?? {}))
})

void t.test('a request leaves one line, without its query', async (t) => {
  const { ask, lineAfter, lines } = await setUp(t)
  const answer = await ask('GET', '/fine?sig=topsecret&access_token=topsecret')
  t.match(await lineAfter(1), {
    level: 'info',
    method: 'GET',
    path: '/fine',
    status: 200,
    milliseconds: Number,
    client: '127.0.0.1',
    requestId: answer.headers.get('x-request-id'),
  })
  await ask('GET', '/nowhere?sig=topsecret')
  t.match(await lineAfter(2), { level: 'info', status: 404, path: '/nowhere' })
  await ask('GET', '/%ff?sig=topsecret')
  t.match(await lineAfter(3), { level: 'info', status: 400, path: '/%ff', client: '127.0.0.1' })
  await ask('GET', '/fine', { headers: { 'x-forwarded-for': '192.0.2.7:4711' } })
  t.match(await lineAfter(4), { client: '192.0.2.7' }, 'behind a trusted proxy the client is named')
  t.notMatch(JSON.stringify(lines), /topsecret/)
})

void t.test('a fault is logged once, at error, with its cause and nothing that a query carried', async (t) => {
  const { ask, lineAfter, lines } = await setUp(t)
  lines.length = 0
  await ask('GET', '/bug')
  t.match(await lineAfter(1), {
    level: 'error',
    status: 500,
    failure: { name: 'Error', message: 'it broke', stack: String, cause: { message: 'the disk' } },
  })
  t.equal(lines.length, 1)
  t.notMatch(JSON.stringify(lines), /hunter2/)
})

void t.test('the log names the account by id and contains no tokens', async (t) => {
  const { ask, lineAfter, lines, registerUser } = await setUp(t)
  const { token, account } = await registerUser()
  await ask('GET', '/me', { token })
  t.match(await lineAfter(1), { status: 200, accountId: account.id })
  t.notMatch(JSON.stringify(lines), new RegExp(token.slice(-20)))
})
