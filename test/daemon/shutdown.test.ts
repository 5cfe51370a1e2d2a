import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import type { RoutePlugin } from '../../src/daemon/http/app-types.ts'
import { shutDownDaemon, stopDaemon } from '../../src/daemon/shutdown.ts'
import { startApp } from '../support/app.ts'

const NEVER_MILLISECONDS = 24 * 3600 * 1000

void t.test('100 running requests are answered before the daemon has stopped (F-25)', async (t) => {
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let count = 0
  const slow: RoutePlugin = (app) =>
    void app.route({
      method: 'GET',
      url: '/slow',
      config: { access: 'public', reveals: 'none' },
      handler: async () => {
        count += 1
        if (count === 100) started.resolve()
        await release.promise
        return { done: true }
      },
    })
  const { app, services, lifecycle, baseUrl, ask } = await startApp(t, { routes: [['', slow]] })
  const steps: string[] = []
  const workers = { stop: async () => void steps.push('workers') }
  const watched = { ...services, close: async () => void steps.push('services') }
  const sockets = { close: async () => void steps.push('sockets') }
  const lock = { release: () => void steps.push('lock') }

  const answers = Promise.all(Array.from({ length: 100 }, () => ask('GET', '/slow')))
  await started.promise
  const stopped = stopDaemon({ app, sockets, services: watched, workers, lifecycle, lock })
  t.equal(lifecycle.isStopping, true, 'it is not ready from the first moment on')
  await t.rejects(connect(baseUrl), { code: /ECONNREFUSED|ECONNRESET/ }, 'and takes no connections')
  release.resolve()
  for (const { status, json, headers } of await answers) {
    if (status !== 200 || JSON.stringify(json) !== '{"done":true}') t.fail('a request was not answered')
    if (headers.get('connection') !== 'close') t.fail('a connection would have stayed open')
  }
  await stopped
  t.strictSame(steps, ['workers', 'sockets', 'services', 'lock'], 'what requests need is closed after them')
  t.equal(app.server.listening, false)
})

void t.test('a connection on which nothing was ever asked does not delay the end', async (t) => {
  const { app, services, lifecycle, ask, baseUrl } = await startApp(t)
  const { hostname, port } = new URL(baseUrl)
  const unused = net.connect(Number(port), hostname)
  await once(unused, 'connect')
  t.equal((await ask('GET', '/healthz')).status, 200, 'the server has accepted it')
  const ended = once(unused.resume(), 'close')
  const workers = { stop: async () => {} }
  const sockets = { close: async () => {} }
  await stopDaemon({ app, sockets, services, workers, lifecycle, lock: { release: () => {} } }, NEVER_MILLISECONDS)
  await ended
})

void t.test('a reply that does not end is cut off, and the daemon stops all the same', async (t) => {
  const endless: RoutePlugin = (app) =>
    void app.route({
      method: 'GET',
      url: '/endless',
      config: { access: 'public', reveals: 'none' },
      handler: async (_request, reply) => reply.send(Readable.from(forever())),
    })
  const { app, services, lifecycle, baseUrl } = await startApp(t, { routes: [['', endless]] })
  const reply = await fetch(`${baseUrl}/endless`)
  const body = reply.text()
  const workers = { stop: async () => {} }
  const sockets = { close: async () => {} }
  await Promise.all([
    t.rejects(body, 'the client sees that bytes are missing'),
    stopDaemon({ app, sockets, services, workers, lifecycle, lock: { release: () => {} } }, 100),
  ])
})

void t.test('a failed step prevents neither the other steps nor the restart', async (t) => {
  const { app, services, lifecycle } = await startApp(t)
  const steps: string[] = []
  const step = (name: string, failure?: string) => async (): Promise<void> => {
    steps.push(name)
    if (failure !== undefined) throw new Error(failure)
  }
  const running = {
    app,
    lifecycle,
    sockets: { close: step('sockets') },
    workers: { stop: step('workers', 'the queue is gone') },
    services: { ...services, close: step('services') },
    lock: { release: () => void steps.push('lock') },
  }
  const { log } = services
  t.equal(await shutDownDaemon(running, { reason: { name: 'restart', isRestart: true }, log }), 'restart')
  t.strictSame(steps, ['workers', 'sockets', 'services', 'lock'])
  t.equal(app.server.listening, false)

  const reason = { name: 'restart', isRestart: true }
  const stopped = shutDownDaemon(running, { reason, log })
  reason.isRestart = false
  await t.rejects(stopped, { message: 'the queue is gone' }, 'a restart that a signal made a stop ends as a stop')
  running.services.close = step('services', 'the pool is gone')
  await t.rejects(shutDownDaemon(running, { reason: { name: 'SIGTERM' }, log }), {
    message: 'the queue is gone; the pool is gone',
  })
})

async function* forever(): AsyncGenerator<Buffer> {
  while (true) {
    yield Buffer.alloc(1000)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function connect(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent: false }, (reply) => {
        reply.resume()
        resolve()
      })
      .on('error', reject)
  })
}
