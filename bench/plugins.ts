import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pluginArchive } from '../test/support/plugin-archives.ts'
import { logIn, percentile, type Api } from './clients.ts'
import { setUpData, whileServing } from './new-server.ts'
import type { Figure } from './run.ts'
import { PHLIX, timed, untilStopped } from './start.ts'

const REQUESTS = 2000
const PARALLEL = 4

/** Plugins that use as much as they may without being disabled. */
const GREEDY: Readonly<Record<string, string>> = {
  computing: 'onEnable() { setInterval(() => { for (const end = Date.now() + 2000; Date.now() < end;); }, 1) }',
  writing: 'onEnable({ log }) { setInterval(() => { for (let i = 0; i < 1000; i += 1) log("x".repeat(2000)) }, 1) }',
  asking:
    'onEnable({ store }) { for (let i = 0; i < 90; i += 1) this.again(store) } again(store) { store.list().finally(() => this.again(store)) }',
}

/** Requests of users, p99: with plugins that compute, write and ask without end, against none. */
export async function benchPlugins(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-'))
  chmodSync(dataDirectory, 0o711)
  try {
    setUpData(dataDirectory, { isAdmin: true })
    const peer = await whileServing(dataDirectory, ({ address }) => measure(address))
    for (const [word, body] of Object.entries(GREEDY)) await enable(dataDirectory, word, body)
    const ours = await whileServing(dataDirectory, ({ address }) => measure(address))
    return [{ name: 'requests p99 beside greedy plugins', ours, peer, unit: 'ms', peerName: 'without plugins' }]
  } finally {
    await untilStopped(dataDirectory)
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function enable(dataDirectory: string, word: string, body: string): Promise<void> {
  const name = `phlix-plugin-${word}`
  const path = join(dataDirectory, `${word}.tgz`)
  writeFileSync(path, await pluginArchive(`export default class { ${body} }`, { name }))
  timed(PHLIX, ['plugin:install', path, '--data-dir', dataDirectory])
  timed(PHLIX, ['plugin:enable', name, '--data-dir', dataDirectory])
}

/** @returns p99 in milliseconds */
async function measure(address: string): Promise<number> {
  const api = await logIn(address)
  // Plugins start after the server.
  await pause(5000)
  await timesOf(api, REQUESTS / 4)
  return percentile(await timesOf(api, REQUESTS), 0.99)
}

async function timesOf(api: Api, count: number): Promise<number[]> {
  const times: number[] = []
  const lane = async (): Promise<void> => {
    for (let index = 0; index < count / PARALLEL; index += 1) {
      const started = performance.now()
      await api('GET', '/api/v1/auth/me')
      times.push(performance.now() - started)
      await pause(1)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, lane))
  return times
}
