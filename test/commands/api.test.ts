import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { toHttpRequest, exitCodeOfStatus, reachableAddress } from '../../src/commands/_support/api-request.ts'
import { startApp } from '../support/app.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

void t.test('requests are sent to the server, with a token of the environment or a file', async (t) => {
  const data = await temporaryDataDirectory(t)
  const app = await startApp(t)
  const { token } = await app.registerAdmin()
  const run = (words: string[], environment: Record<string, string> = {}) =>
    runPhlix(['api', ...words, '--server', app.baseUrl, '--data-dir', data], { environment })
  t.match(await run(['GET', '/healthz']), { code: 0, stdout: '{"status":"ok"}\n' })
  t.equal((await run(['GET', 'auth/me'])).code, 77)
  t.equal((await run(['GET', 'no/such/route'])).code, 66)
  const me = await run(['GET', 'auth/me', '--json'], { PHLIX_API_TOKEN: token })
  t.match(JSON.parse(me.stdout), { schema: 'api/1', status: 200, body: { user: { is_admin: true } } })
  const file = join(data, 'token')
  writeFileSync(file, `${token}\n`)
  t.equal((await run(['GET', 'media', '-f', 'limit=1', '--token-file', file])).code, 0)
  const input = join(data, 'body.json')
  writeFileSync(input, '{"settings":{"metadata.overwrite_existing":false}}')
  t.equal((await run(['PUT', 'admin/settings', '--input', input, '--token-file', file])).code, 0)
  t.notMatch(me.stdout + me.stderr, token)
  const both = await run(['PUT', 'admin/settings', '--input', input, '-f', 'secret=canary'])
  t.match(both, { code: 2, stderr: /--input and --field exclude each other/ })
  t.notMatch(both.stderr, 'canary')
})

void t.test('without a server the command says so', async (t) => {
  const data = await temporaryDataDirectory(t)
  t.match(await runPhlix(['api', 'GET', 'media', '--data-dir', data]), { code: 69, stderr: /server_not_running/ })
})

void t.test('fields become the query or the body', (t) => {
  const request = { server: 'http://127.0.0.1:8096', path: 'media', input: undefined }
  t.strictSame(toHttpRequest({ ...request, method: 'GET', fields: ['search=a b&c', 'limit=5'] }), {
    url: 'http://127.0.0.1:8096/api/v1/media?search=a+b%26c&limit=5',
    body: undefined,
  })
  const fields = ['name=x=y', 'count=5', 'zero=007', 'on=true', 'none=null']
  t.strictSame(JSON.parse(toHttpRequest({ ...request, method: 'POST', fields }).body ?? ''), {
    name: 'x=y',
    count: 5,
    zero: '007',
    on: true,
    none: null,
  })
  for (const path of ['//example.org/x', 'http://example.org', String.raw`/\example.org`]) {
    const { url } = ((): { url: string } => {
      try {
        return toHttpRequest({ ...request, method: 'GET', path, fields: [] })
      } catch {
        return { url: request.server }
      }
    })()
    t.equal(new URL(url).origin, request.server, path)
  }
  for (const server of ['127.0.0.1:8096', 'nonsense', 'file:///etc', ''])
    t.throws(
      () => toHttpRequest({ ...request, server, method: 'GET', fields: [] }),
      { message: /^The server must be/ },
      server,
    )
  t.equal(reachableAddress('http://[::]:8096'), 'http://[::1]:8096')
  t.equal(reachableAddress('http://0.0.0.0:8096'), 'http://127.0.0.1:8096')
  t.equal(reachableAddress('http://[::1]:8096'), 'http://[::1]:8096')
  t.throws(() => toHttpRequest({ ...request, method: 'GET', fields: ['novalue'] }), { code: 'usage' })
  t.throws(() => toHttpRequest({ ...request, method: 'POST', fields: [], input: '{' }), { code: 'usage' })
  t.strictSame([200, 302, 401, 403, 404, 409, 500, 503].map(exitCodeOfStatus), [0, 0, 77, 77, 66, 1, 69, 69])
  t.end()
})
