import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { openNotifySocket, unlessNotifies } from '../support/notify-socket.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'
import { waitUntil } from '../support/wait-until.ts'

type Json = Record<string, unknown>

void t.test('a restart starts the daemon again in its process, with the current configuration', async (t) => {
  const data = await temporaryDataDirectory(t)
  const manager = unlessNotifies === false ? await openNotifySocket(t) : undefined
  const daemon = await startDaemon(data, manager === undefined ? {} : { NOTIFY_SOCKET: manager.path })
  const file = join(data, 'config.toml')
  const addresses = (): string[] =>
    [...daemon.log().matchAll(/"address":"(http[^"]+)"/g)].map(([, address = '']) => address)
  const ask = async (path: string, token?: string, body?: object): Promise<{ status: number; json: Json }> => {
    const reply = await fetch(`${addresses().at(-1)}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, json: (await reply.json()) as Json }
  }
  const account = { username: 'ann', email: 'ann@example.test', password: 'correct horse' }
  const token = String((await ask('/auth/register', undefined, account)).json['access_token'])
  const before = await ask('/admin/server/status', token)

  writeFileSync(file, '[server]\nprot = 1\n')
  const refused = await ask('/admin/restart', token, {})
  t.match(refused, { status: 409, json: { code: 'restart_refused', error: /server\.prot is not an option/ } })
  t.strictSame((await ask('/admin/server/status', token)).json['started_at'], before.json['started_at'], 'it continues')

  writeFileSync(file, '[accounts]\napproval = true\n[logging]\nto_file = true\n')
  t.match(await ask('/admin/restart', token, {}), { status: 200 })
  await waitUntil('the daemon listens again', () => addresses().length === 2)
  t.match(daemon.log(), /"msg":"the daemon has stopped"/, 'the first run ended in good order')
  t.equal(daemon.child.exitCode, null, 'the process is the same')
  const after = await ask('/admin/server/status', token)
  t.equal(after.status, 200, 'the token is still good')
  t.not(after.json['started_at'], before.json['started_at'])
  const { json } = await ask('/admin/settings', token)
  t.match(json, {
    data: { settings: { 'accounts.approval': true }, meta: { 'accounts.approval': { origin: `file ${file}` } } },
  })

  rmSync(file)
  t.match(await ask('/admin/server/restart', token, {}), { status: 200 })
  await waitUntil('the daemon listens a third time', () => addresses().length === 3)
  t.equal((await ask('/admin/server/status', token)).status, 200)
  const written = readdirSync(join(data, 'logs')).filter((name) => name.startsWith('phlix.'))
  const lines = written.map((name) => readFileSync(join(data, 'logs', name), 'utf8')).join('')
  t.match(lines, 'the daemon has stopped', 'the log file of the run that ended is whole')
  await stopDaemon(daemon)
  t.match(await daemon.result, { code: 0, signal: null })
  if (manager === undefined) return
  const [ready, restarting] = [`READY=1 STATUS=Serving ${addresses()[0]}`, 'STATUS=Restarting']
  const later = addresses().map((address) => `READY=1 STATUS=Serving ${address}`)
  t.strictSame(
    manager.messages,
    [ready, restarting, later[1], restarting, later[2], 'STOPPING=1 STATUS=Stopping'],
    'systemd hears of each run, and of a stop only at the end',
  )
})
