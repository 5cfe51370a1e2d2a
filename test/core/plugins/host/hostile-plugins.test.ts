import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { findPluginSandbox, getPlugin, startPluginHost, type Plugin } from '../../../../src/core/plugins/index.ts'
import { versionFolder } from '../../../../src/core/plugins/install/plugin-folders.ts'
import { PROCESS_LIMITS } from '../../../../src/core/plugins/process/limits.ts'
import { installSource } from '../../../support/plugins.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

/** Each is disabled with a reason, while a decent plugin beside them works. */
const HOSTILE: Record<string, { source: string; reason: RegExp }> = {
  loop: {
    source: 'export default class { onEnable() { setTimeout(() => { for (;;); }, 0) } }',
    reason: /did not answer ping/,
  },
  memory: {
    source: `const kept = []
      export default class { onEnable() { setInterval(() => kept.push(Buffer.alloc(32 * 1024 * 1024, 1)), 10) } }`,
    reason: /more than 192 MiB|exit code|SIG/,
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
  late: { source: 'export default class { notify() { return new Promise(() => {}) } }', reason: /too late/ },
}

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
  'signal the server': () => process.kill(PID, 0),
  'see the environment': () => { if (Object.keys(process.env).filter((name) => !/^(PHLIX_RUN_TOKEN|PWD)$/.test(name)).length === 0) throw new Error('empty') },
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

void t.test(
  'hostile plugins are contained and disabled with a reason (PI-04)',
  { skip: isWeak && level },
  async (t) => {
    for (const [word, { source }] of Object.entries(HOSTILE)) {
      const events = word === 'late' ? { events: ['playback.started'] } : { events: [] }
      await installSource(t, services, { source, name: `phlix-plugin-${word}`, isEnabled: true, ...events })
    }
    const server = createServer()
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    t.teardown(() => server.close())
    const port = String((server.address() as AddressInfo).port)
    const burglar = BURGLAR.replace('PORT', port).replace('PID', String(process.pid))
    await installSource(t, services, { source: burglar, name: 'phlix-plugin-burglar', isEnabled: true })
    await installSource(t, services, { source: DECENT, name: 'phlix-plugin-decent', isEnabled: true })
    const changed = await installSource(t, services, { source: DECENT, name: 'phlix-plugin-changed', isEnabled: true })
    const file = join(versionFolder(services.config.dataDirectory, changed), 'index.mjs')
    chmodSync(file, 0o644)
    writeFileSync(file, readFileSync(file, 'utf8').replace('events', 'evil'))

    const host = startPluginHost(services, {
      limits: {
        ...PROCESS_LIMITS,
        callMilliseconds: 500,
        pingIntervalMilliseconds: 300,
        pingMilliseconds: 3000,
        memoryIntervalMilliseconds: 50,
      },
      restartMilliseconds: [0],
      failuresToDisable: 2,
    })
    t.teardown(() => host.stop())
    const find = (name: string): Promise<Plugin> => getPlugin(services, `phlix-plugin-${name}`)
    await host.refresh()
    await waitUntil('the decent one runs', () => host.find('phlix-plugin-decent')?.isRunning() === true)
    const event = { name: 'playback.started', payload: { userId: 'u' }, occurredAt: new Date(0) } as const
    host.publish(event)
    // The late one needs three events to each of its starts.
    await waitUntil('all hostile ones are disabled', async () => {
      if (host.find('phlix-plugin-late')?.isRunning() === true) for (let i = 0; i < 3; i += 1) host.publish(event)
      await host.refresh()
      const names = [...Object.keys(HOSTILE), 'burglar', 'changed']
      return (await Promise.all(names.map(find))).every(({ isEnabled }) => !isEnabled)
    })
    for (const [word, { reason }] of Object.entries(HOSTILE)) t.match((await find(word)).disabledReason, reason, word)
    t.match((await find('burglar')).disabledReason, /it could: nothing/)
    t.match((await find('changed')).disabledReason, /index\.mjs was changed/, 'changed files are not started (PI-05)')
    t.match(await find('decent'), { isEnabled: true, disabledReason: null })
    t.equal(host.find('phlix-plugin-decent')?.restarts(), 0)
  },
)
