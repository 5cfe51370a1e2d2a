import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { engineConnectionUri, enginePaths } from '../../src/core/platform/database/engine/engine-paths.ts'
import { dataDirectoryInMemory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { startPhlix } from '../support/phlix.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { untilNoProcessOf } from '../support/processes.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The processes that `kill -9` ends: the daemon, its embedded database, or both at once. */
export type KillTarget = 'daemon' | 'postmaster' | 'both'
export const KILL_TARGETS: readonly KillTarget[] = ['daemon', 'postmaster', 'both']

type Reply = Record<string, unknown>

/** A real daemon with its embedded database that is killed and restarted on the same port. */
export type KilledServer = {
  /** The address of its running database. */
  connectionUri: string
  /** Sends a request as the administrator, and repeats it after 5xx or a connection error, because the database may be recovering. */
  ask: (method: 'GET' | 'POST', path: string, body?: object) => Promise<Reply>
  /** Returns whether there was a postmaster to kill; it may be starting. */
  kill: (target: KillTarget) => Promise<boolean>
  /** Restarts the killed daemon; resolves when it and its database respond. */
  restore: () => Promise<void>
  /** Stops it with SIGTERM; returns its exit code and the remaining processes of its data directory. */
  stop: () => Promise<{ code: number | null; left: string[] }>
}

export async function startKilledServer(t: Test, environment: Record<string, string>): Promise<KilledServer> {
  const dataDirectory = dataDirectoryInMemory(t)
  await copyPreparedCluster(dataDirectory)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let log = ''
  const start = (): ChildProcess => {
    const ports = ['--port', String(port), '--websocket-port', '0']
    const { child } = startPhlix(['serve', '--host', '127.0.0.1', ...ports, '--data-dir', dataDirectory], {
      environment,
    })
    child.stderr?.on('data', (text: string) => {
      log = (log + text).slice(-5000)
    })
    return child
  }
  let daemon = start()
  t.teardown(() => daemon.kill('SIGKILL'))
  const hasEnded = (): boolean => daemon.exitCode !== null || daemon.signalCode !== null
  /** Does not wait for the end of its output, which a child process may keep open. */
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(daemon, 'exit')
    daemon.kill(signal)
    await ended
  }
  const untilReady = async (): Promise<void> => {
    await waitUntil('the daemon is ready', async () => {
      if (hasEnded()) throw new Error(`the daemon ended: ${log}`)
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
    })
  }
  await untilReady()
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const ask: KilledServer['ask'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    let answer: Reply | undefined
    await waitUntil(`${method} ${path} is answered`, async () => {
      const reply = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent }).catch(() => undefined)
      if (reply !== undefined && reply.status < 500) answer = (await reply.json()) as Reply
      return answer !== undefined
    })
    return answer ?? {}
  }
  const account = { email: 'admin@example.org', username: 'admin', password: 'correct horse battery' }
  headers['authorization'] = `Bearer ${String((await ask('POST', '/auth/register', account))['access_token'])}`
  return {
    connectionUri: engineConnectionUri(enginePaths(dataDirectory)),
    ask,
    kill: async (target) => {
      const isFound = target === 'daemon' || killPostmaster(dataDirectory)
      if (target !== 'postmaster') await end('SIGKILL')
      return isFound
    },
    restore: async () => {
      if (hasEnded()) daemon = start()
      await untilReady()
    },
    stop: async () => {
      await end('SIGTERM')
      return { code: daemon.exitCode, left: await untilNoProcessOf(dataDirectory) }
    },
  }
}

function killPostmaster(dataDirectory: string): boolean {
  try {
    const [pid] = readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    return true
  } catch {
    return false
  }
}
