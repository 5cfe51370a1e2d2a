import { join } from 'node:path'
import t from 'tap'
import { acquireProcessLock } from '../../src/core/platform/spawn/index.ts'
import { printedPageUrl } from '../../src/core/web-page-url.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { reachableDirectory } from '../support/directories.ts'

void t.test('commands print the public address, else that of the server that runs, else the configured one', (t) => {
  const dataDirectory = reachableDirectory(t)
  const environment = { PHLIX_SERVER_HOST: '127.0.0.5' }
  const config = loadConfig({ dataDirectory, environment, flags: { 'server.port': '8123' } })
  t.equal(printedPageUrl({ config }), 'http://127.0.0.5:8123', 'no server runs')
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address: 'a restore' })
  t.equal(printedPageUrl({ config }), 'http://127.0.0.5:8123', 'the lock names no address')
  for (const [address, url] of [
    ['http://127.0.0.1:40123', 'http://127.0.0.1:40123'],
    ['http://127.0.0.1:80', 'http://127.0.0.1:80'],
    ['http://[::1]:40123', 'http://[::1]:40123'],
  ] as const) {
    lock.setAddress(address)
    t.equal(printedPageUrl({ config }), url)
  }
  lock.setAddress('http://0.0.0.0:40123')
  t.match(printedPageUrl({ config }), /^http:\/\/(?!0\.0\.0\.0)\S+:40123$/, 'an address that others can open')
  const named = loadConfig({ dataDirectory, environment: { PHLIX_PUBLIC_URL: 'https://media.example.test/' } })
  t.equal(printedPageUrl({ config: named }), 'https://media.example.test')
  lock.release()
  t.end()
})
