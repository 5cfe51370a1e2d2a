import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Value } from 'typebox/value'
import { resultSchema } from '../../../src/commands/_support/schemas/index.ts'
import { hubConfig } from '../../../src/core/hub/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { pick } from '../../support/app.ts'
import { emptyDatabase, testDatabase } from '../../support/database.ts'
import { PROTOCOL, startTestHub } from '../../support/hub.ts'
import { runPhlix, startPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const database = await emptyDatabase(t)
const hub = await startTestHub(t, { database, dataDirectory: join(data, 'hub') })
const ofHub = { ...database, PHLIX_HUB_DATABASE: database['DB_NAME'] ?? '' }
const run = (words: string[], of: Record<string, string> = environment) =>
  runPhlix([...words, '--data-dir', data], { environment: of })
const runJson = async (words: string[], of?: Record<string, string>): Promise<unknown> => {
  const { stdout } = await run([...words, '--json'], of)
  const document: unknown = JSON.parse(stdout)
  const schema = resultSchema(words[0] ?? '')
  t.strictSame(schema === undefined ? ['no schema'] : [...Value.Errors(schema, document)], [], words.join(' '))
  return document
}

void t.test('a hub has its own folder and its own database', (t) => {
  const config = loadConfig({ dataDirectory: data, environment: { DB_HOST: 'db', DB_NAME: 'phlix' } })
  t.match(hubConfig(config), { dataDirectory: join(data, 'hub'), options: { 'database.name': 'phlix_hub' } })
  t.throws(() => loadConfig({ environment: { PHLIX_HUB_DATABASE: 'a/b' } }), { code: 'invalid_config' })
  t.end()
})

void t.test('accounts of the hub are made with a generated password, and can sign in', async (t) => {
  const words = ['hub:user:create', 'ada', '--email', 'ada@example.org', '--admin']
  const document = await runJson(words, ofHub)
  t.match(document, { user: { username: 'ada', is_admin: true, status: 'active' }, generated: /^[a-z0-9-]{20,}$/ })
  const body = { username: 'ada', password: pick(document, 'generated') }
  t.match(await hub.ask('POST', '/api/v1/auth/login', { body }), { status: 200 })
  t.match(await run(words, ofHub), { code: 2, stderr: /already in use/ })
  t.match(await run(['hub:user:create', 'x', '--email', 'y'], ofHub), { code: 2, stderr: /username.*email/ })
})

void t.test('hub:pair shows a code, waits for the owner, and stores the enrolment', async (t) => {
  t.match(await run(['hub:status']), { code: 0, stdout: /not paired/ })
  t.match(await run(['hub:pair']), { code: 2, stderr: /hub_url_missing/ })
  t.match(await run(['hub:pair', '--hub', 'https://ada:secret@hub.example/path']), {
    code: 2,
    stderr: /without a path .*hub_url_invalid.*\n.*hub:pair --hub https:\/\/hub\.example\n/,
  })
  t.match(await run(['hub:unpair']), { code: 1, stderr: /not_paired.*\n.*phlix hub:pair --hub/ })
  t.match(await run(['hub:pair', '--hub', 'http://127.0.0.1:1']), { code: 69, stderr: /hub_unreachable/ })
  t.match(await run(['hub:pair', '--hub', hub.url, '--account', 'nobody']), { code: 66 })
  const bob = await hub.addUser('bob')
  const words = ['hub:pair', '--hub', hub.url, '--name', 'Attic', '--json', '--data-dir', data]
  const { child, result } = startPhlix(words, { environment })
  const code = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (piece: string) => {
      text += piece
      const found = /^Code: (\S+)$/m.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    void result.then(({ stderr }) => reject(new Error(stderr)))
  })
  const body = { claim_code: code }
  t.match(await hub.ask('POST', '/api/v1/server-claims/claim', { token: bob.token, body, headers: PROTOCOL }), {
    status: 200,
  })
  const ended = await result
  t.match(JSON.parse(ended.stdout), { schema: 'hub.pair/1', hub_url: hub.url })
  t.equal(statSync(join(data, 'keys', 'hub-enrolment.json')).mode & 0o777, 0o600)
  const document = await runJson(['hub:status'])
  t.match(document, { paired: true, hub_url: hub.url, reachable: true, expires: /Z$/ })
  const tunnel_url = `${hub.tunnelUrl.replace('http', 'ws')}/relay/${String(pick(document, 'server_id'))}`
  t.match(document, { tunnel_url, tunnel_problem: null }, 'the hub has named its port for tunnels')
  const elsewhere = { ...environment, PHLIX_RELAY_TUNNEL_URL: hub.url }
  t.match(await run(['hub:status'], elsewhere), {
    code: 4,
    stdout: /relay does not work.*status 404.*relay\.tunnel_url/,
  })
  const nowhere = { ...environment, PHLIX_RELAY_TUNNEL_URL: 'http://127.0.0.1:1' }
  t.match(await run(['hub:status'], nowhere), { code: 4, stdout: /relay does not work.*cannot be reached/ })
  t.match(await run(['hub:status'], { ...nowhere, PHLIX_RELAY: 'off' }), { code: 0, stdout: /relay is off/ })
  t.match(await run(['hub:pair', '--hub', hub.url]), { code: 1, stderr: /already_paired/ })
})

void t.test('the hub lists and disables servers', async (t) => {
  const document = await runJson(['hub:server:list'], ofHub)
  t.match(document, { servers: [{ name: 'Attic', owner: 'bob', status: 'claiming', has_tunnel: false }] })
  const id = String(pick(document, 'servers', 0, 'id'))
  t.match(await run(['hub:server:list'], ofHub), { code: 0, stdout: /Attic +bob +claiming/ })
  t.match(await runJson(['hub:server:disable', id], ofHub), { id, name: 'Attic', disabled: true })
  t.match(await runJson(['hub:server:list'], ofHub), { servers: [{ status: 'disabled' }] })
  t.match(await run(['hub:server:disable', id, '--enable'], ofHub), { code: 0, stdout: 'Attic is enabled.\n' })
  t.match(await run(['hub:server:disable', 'x'], ofHub), { code: 66, stderr: /server\.not_found/ })
})

void t.test('hub:unpair ends the pairing, also while the hub is down', async (t) => {
  await hub.down()
  t.match(await run(['hub:status']), { code: 4, stdout: /does not answer/ })
  await hub.up()
  t.match(await runJson(['hub:unpair']), { hub_url: hub.url, confirmed: true })
  t.match(await run(['hub:unpair']), { code: 1, stderr: /not_paired/ })
})

void t.test('commands of the hub make no hub', async (t) => {
  const empty = await temporaryDataDirectory(t)
  const result = await runPhlix(['hub:server:list', '--data-dir', empty], {})
  t.match(result, { code: 78, stderr: /no_database/ })
})
