import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ListenOptions } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createStoredValues } from '../../../../src/core/plugins/calls/stored-values.ts'
import { startRunner } from '../../../../src/core/plugins/host/plugin-runner.ts'
import { testPluginStart } from '../../../../src/core/plugins/host/start-plugin.ts'
import { createPluginHost, findPluginSandbox, getPlugin } from '../../../../src/core/plugins/index.ts'
import { versionFolder } from '../../../../src/core/plugins/plugin-folders.ts'
import { PROCESS_LIMITS, type ProcessLimits } from '../../../../src/core/plugins/process/limits.ts'
import { computePluginUid } from '../../../../src/core/plugins/process/sandbox.ts'
import { installSource } from '../../../support/plugins.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

type Hostile = Record<string, { source: string; reason: RegExp }>

/** Each is disabled with a reason, however slow the machine is. */
const FAULTY: Hostile = {
  memory: {
    // It holds as much as the kernel gives it, and asks for no more.
    source: `const kept = []
      export default class {
        onEnable() {
          setTimeout(() => { for (let i = 0; i < 18; i += 1) kept.push(Buffer.alloc(10 * 1024 * 1024, 1)) }, 10)
        }
      }`,
    reason: /more than 192 MiB/,
  },
  greedy: {
    source: `const kept = []
      export default class {
        onEnable() {
          setTimeout(() => { for (let i = 0; i < 400; i += 1) kept.push(Buffer.alloc(10 * 1024 * 1024, 1)) }, 10)
        }
      }`,
    // The measurement or the kernel is first. A failed allocation is an uncaught error of the plugin.
    reason: /more than 192 MiB|it ended with/,
  },
  exit: {
    source: 'export default class { onEnable() { setTimeout(() => process.exit(0), 10) } }',
    reason: /exit code 0/,
  },
  throw: { source: 'throw new Error("broken at load")', reason: /broken at load/ },
  enable: {
    source: 'export default class { onEnable() { throw new Error("cannot enable") } }',
    reason: /cannot enable/,
  },
  garbage: {
    source: `import { writeSync } from 'node:fs'
      export default class { onEnable() { setTimeout(() => writeSync(1, 'garbage\\n'.repeat(10)), 10) } }`,
    reason: /invalid messages/,
  },
  forged: {
    source: `import { writeSync } from 'node:fs'
      const line = JSON.stringify({ jsonrpc: '2.0', id: 4711, result: 1 }) + '\\n'
      export default class { onEnable() { setTimeout(() => writeSync(1, line.repeat(5)), 10) } }`,
    reason: /invalid messages/,
  },
  'long-id': {
    source: `import { writeSync } from 'node:fs'
      const line = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(65), method: 'store.list' }) + '\\n'
      export default class { onEnable() { setTimeout(() => writeSync(1, line.repeat(5)), 10) } }`,
    reason: /invalid messages/,
  },
}

/** These do not answer pings. */
const DEAF: Hostile = {
  loop: {
    source: 'export default class { onEnable() { setTimeout(() => { for (;;); }, 0) } }',
    reason: /did not answer ping/,
  },
  deaf: {
    source: `import { writeSync } from 'node:fs'
      const ask = (count) => Array.from({ length: count }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id: 1000 + id, method: 'store.get', params: { key: 'big' } }) + '\\n').join('')
      export default class {
        async onEnable({ store }) {
          await store.set('big', 'x'.repeat(900_000))
          process.stdin.pause()
          setInterval(() => { try { writeSync(1, ask(50)) } catch {} }, 10)
        }
      }`,
    reason: /without reading|did not read|did not answer ping/,
  },
}

/** This one answers pings, and nothing else. */
const LATE: Hostile = {
  late: { source: 'export default class { notify() { return new Promise(() => {}) } }', reason: /too late/ },
}

/** On a loaded machine a plugin takes long to start and to answer. Only what a test is about has a short limit. */
const UNHURRIED: ProcessLimits = {
  ...PROCESS_LIMITS,
  startMilliseconds: 150_000,
  callMilliseconds: 150_000,
  pingIntervalMilliseconds: 300,
  pingMilliseconds: 150_000,
  memoryIntervalMilliseconds: 50,
}

const EVENT = { name: 'playback.started', payload: { userId: 'u' }, occurredAt: new Date(0) } as const

/** Tries what a plugin may not do, and reports what it could do. */
const BURGLAR = `
import fs from 'node:fs'
import net from 'node:net'
import dgram from 'node:dgram'
import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
const here = new URL('.', import.meta.url).pathname
const data = here.replace(/plugins\\/.*/, '')
const once = (emitter) => new Promise((resolve, reject) => emitter.on('error', reject).on('connect', resolve).on('listening', resolve))
const attempts = {
  'read /etc/passwd': () => fs.readFileSync('/etc/passwd'),
  'read the data folder': () => fs.readdirSync(data),
  'write its folder': () => fs.writeFileSync(here + 'new', 'x'),
  'write outside': () => fs.writeFileSync(data + 'new', 'x'),
  'write /tmp': () => fs.writeFileSync('/tmp/phlix-burglar', 'x'),
  'link outside': () => fs.symlinkSync('/etc/passwd', here + 'link'),
  'start a program': () => { const { error, status } = spawnSync('/bin/true'); if (error) throw error; if (status !== 0) throw new Error('x') },
  'start a thread': () => new Worker('1', { eval: true }),
  'connect': () => once(net.connect(PORT, '127.0.0.1')),
  'connect to the database': () => once(net.connect(data + 'run/.s.PGSQL.5432')),
  'reach the network': () => once(net.connect(443, '1.1.1.1')),
  'send datagrams': () => new Promise((resolve, reject) => dgram.createSocket('udp4').send('x', 53, '1.1.1.1', (error) => error ? reject(error) : resolve())),
  'connect to a socket for everyone': () => once(net.connect('SOCKET')),
  'signal the server': () => process.kill(PID, 0),
  'signal a process of its account': () => process.kill(SIBLING, 0),
  'see the environment': () => { if (Object.keys(process.env).length === 0) throw new Error('empty') },
}
export default class {
  async onEnable() {
    const done = []
    for (const [name, attempt] of Object.entries(attempts)) {
      try { await attempt(); done.push(name) } catch {}
    }
    throw new Error('it could: ' + (done.join(', ') || 'nothing'))
  }
}
`

const DECENT = `export default class {
  onEnable(container) { this.store = container.store }
  async notify(event) { await this.store.set('events', [...((await this.store.get('events')) ?? []), event.event]) }
}`

const services = await testServices(t)
const { level } = await findPluginSandbox(services)
const isWeak = level === 'weak'

async function listen(t: Test, options: ListenOptions): Promise<number | undefined> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(options, resolve)
  })
  t.teardown(() => server.close())
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** Runs hostile plugins until all are disabled, and a decent one beside them, which is not disturbed. */
async function disableAll(t: Test, hostile: Hostile, { limits = {}, more = [] }: DisableInput = {}): Promise<void> {
  for (const [word, { source }] of Object.entries(hostile)) {
    await installSource(t, services, { source, name: `phlix-plugin-${word}`, isEnabled: true })
  }
  const beside = `phlix-plugin-beside-${Object.keys(hostile)[0]}`
  const plugin = await installSource(t, services, { source: DECENT, name: beside })
  const decent = startRunner(services, { plugin, sandbox: await findPluginSandbox(services), limits: UNHURRIED })
  t.teardown(() => decent.stop())
  const host = createPluginHost(services, {
    limits: { ...UNHURRIED, ...limits },
    restartMilliseconds: [0],
    failuresToDisable: 2,
  })
  host.start()
  t.teardown(() => host.stop())
  const names = [...Object.keys(hostile), ...more].map((word) => `phlix-plugin-${word}`)
  await waitUntil('all hostile ones are disabled', async () => {
    await host.refresh()
    // A late one needs three events to each of its starts.
    for (const name of names)
      if (host.find(name)?.isRunning() === true) for (let i = 0; i < 3; i += 1) host.publish(EVENT)
    return (await Promise.all(names.map((name) => getPlugin(services, name)))).every(({ isEnabled }) => !isEnabled)
  })
  for (const [word, { reason }] of Object.entries(hostile))
    t.match((await getPlugin(services, `phlix-plugin-${word}`)).disabledReason, reason, word)
  await waitUntil('the decent one runs', () => decent.isRunning())
  decent.deliver(EVENT)
  const values = createStoredValues({ db: services.db, pluginName: beside })
  await waitUntil('the decent one has taken an event', async () => (await values.list()).length > 0)
  t.equal(decent.restarts(), 0)
  t.ok(decent.memoryBytes() > 1024 * 1024)
}

type DisableInput = { limits?: Partial<ProcessLimits>; more?: readonly string[] }

const unlessIsolated = { skip: isWeak && level }

void t.test('hostile plugins are contained and disabled with a reason (PI-04)', unlessIsolated, async (t) => {
  const changed = await installSource(t, services, { source: DECENT, name: 'phlix-plugin-changed', isEnabled: true })
  const file = join(versionFolder(services.config.dataDirectory, changed), 'index.mjs')
  chmodSync(file, 0o644)
  writeFileSync(file, readFileSync(file, 'utf8').replace('events', 'evil'))
  await disableAll(t, FAULTY, { more: ['changed'] })
  const { disabledReason } = await getPlugin(services, 'phlix-plugin-changed')
  t.match(disabledReason, /index\.mjs was changed/, 'changed files are not started (PI-05)')
})

void t.test('plugins that hang are disabled (PI-04)', unlessIsolated, (t) =>
  disableAll(t, DEAF, { limits: { pingMilliseconds: 1000 } }),
)

void t.test('a plugin that answers events too late is disabled (PI-04)', unlessIsolated, (t) =>
  disableAll(t, LATE, { limits: { callMilliseconds: 500 } }),
)

for (const wanted of ['bubblewrap', 'account'] as const) {
  const sandbox = await findPluginSandbox(services, { levels: [wanted] })
  const skip = sandbox.level !== wanted && `this machine does not offer ${wanted}`
  void t.test(`a plugin at the level ${wanted} reaches nothing outside of it (PI-04)`, { skip }, async (t) => {
    const name = `phlix-plugin-burglar-${wanted}`
    const isRoot = process.geteuid?.() === 0
    const top = mkdtempSync(join(isRoot ? '/run' : tmpdir(), 'phlix-test-'))
    t.teardown(() => rmSync(top, { recursive: true }))
    chmodSync(top, 0o755)
    const socket = join(top, 'socket')
    const port = await listen(t, { port: 0, host: '127.0.0.1' })
    await listen(t, { path: socket })
    chmodSync(socket, 0o777)
    const account = isRoot ? { uid: computePluginUid(name), gid: computePluginUid(name) } : {}
    const sibling = spawn('sleep', ['600'], { stdio: 'ignore', ...account })
    t.teardown(() => sibling.kill())
    const facts = { PORT: port, SOCKET: socket, PID: process.pid, SIBLING: sibling.pid }
    const source = Object.entries(facts).reduce((text, [word, value]) => text.replace(word, String(value)), BURGLAR)
    const plugin = await installSource(t, services, { source, name })
    await t.rejects(testPluginStart(services, { plugin, sandbox }), { message: /^it could: nothing/ })
  })
}

void t.test('a plugin that is stopped while its files are checked is never started', unlessIsolated, async (t) => {
  const source = 'export default class { async onEnable({ store }) { await store.set("started", true) } }'
  const plugin = await installSource(t, services, { source, name: 'phlix-plugin-brief', isEnabled: true })
  const runner = startRunner(services, { plugin, sandbox: await findPluginSandbox(services) })
  await runner.stop()
  t.notOk(runner.isRunning())
  const values = createStoredValues({ db: services.db, pluginName: plugin.name })
  t.strictSame(await values.list(), [])
  t.match(await getPlugin(services, plugin.name), { isEnabled: true })
})
