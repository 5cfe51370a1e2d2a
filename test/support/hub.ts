import type { Test } from 'tap'
import { createHubUser, openHubServices, type HubServices } from '../../src/core/hub/index.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger, createRecentLines } from '../../src/core/platform/logging/index.ts'
import type { Clock } from '../../src/core/platform/time/index.ts'
import type { Relay } from '../../src/core/hub-relay/index.ts'
import { buildHubApp } from '../../src/daemon/hub/hub-app.ts'
import { openRelay } from '../../src/daemon/hub/relay/open-relay.ts'
import { startPeerListener } from '../../src/daemon/hub/relay/peer-listener.ts'
import { startTunnelListener } from '../../src/daemon/hub/relay/tunnel-listener.ts'
import { cheapPasswordHashing } from './cheap-password.ts'
import { emptyDatabase } from './database.ts'
import { reachableDirectory } from './directories.ts'
import { freePort } from './free-port.ts'
import { pick } from './app.ts'

/** The header of the calls of the pairing protocol. */
export const PROTOCOL = { 'accept-phlix-protocol': 'v1' }

export type HubAnswer = { status: number; headers: Headers; json: unknown }

export type HubAsk = { token?: string; body?: unknown; headers?: Record<string, string> }

export type HubUserOfTest = { id: string; username: string; token: string }

/** A hub that listens on the loopback interface. */
export type TestHub = {
  services: HubServices
  /** `http://127.0.0.1:PORT` */
  url: string
  ask(method: string, path: string, ask?: HubAsk): Promise<HubAnswer>
  /** Creates a user and signs in. */
  addUser(username: string, options?: { isAdmin?: boolean }): Promise<HubUserOfTest>
  /** The relay of the process that listens now. */
  relay(): Relay
  /** The origin of tunnels. */
  tunnelUrl: string
  /** Stops to listen, and listens again on the same port. */
  down(): Promise<void>
  up(): Promise<void>
}

export type HubOptions = {
  clock?: Clock
  environment?: Record<string, string>
  /** A database that several processes of a hub share; by default a new one. */
  database?: Record<string, string>
  dataDirectory?: string
}

/** Starts a hub in this process with an empty database of its own; it ends with the test. */
export async function startTestHub(t: Test, options: HubOptions = {}): Promise<TestHub> {
  const tunnelPort = await freePort()
  const database = options.database ?? (await emptyDatabase(t))
  const config = loadConfig({
    dataDirectory: options.dataDirectory ?? reachableDirectory(t),
    environment: {
      DB_POOL_SIZE: '4',
      RATE_LIMIT_HUB_CLAIM_MAX: '1000',
      RATE_LIMIT_HUB_PAIR_MAX: '1000',
      PHLIX_HUB_HOST: '127.0.0.1',
      PHLIX_HUB_TUNNEL_PORT: String(tunnelPort),
      ...database,
      ...options.environment,
    },
  })
  const log = await createLogger(config, { level: 'critical' })
  const services = await openHubServices({
    config,
    log,
    passwordHashing: cheapPasswordHashing(),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  t.teardown(() => services.close())
  const start = async (port: number) => {
    const lifecycle = { isStopping: false }
    const relay = openRelay(services)
    const peers = await startPeerListener({ services, relay })
    const tunnels = await startTunnelListener({ services, relay, lifecycle })
    const parts = { relay, lifecycle, recentLines: createRecentLines(), tunnelPort: tunnels.port }
    const app = await buildHubApp(services, parts)
    const url = await app.listen({ host: '127.0.0.1', port })
    const stop = async (): Promise<void> =>
      void (await Promise.all([relay.close(0), tunnels.close(), app.close(), peers.close(0)]))
    return { url, relay, stop }
  }
  let running = await start(0)
  const { url } = running
  t.teardown(() => running.stop())

  const ask = async (method: string, path: string, { token, body, headers = {} }: HubAsk = {}): Promise<HubAnswer> => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, json: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    services,
    url,
    tunnelUrl: `http://127.0.0.1:${tunnelPort}`,
    ask,
    async addUser(username, { isAdmin = false } = {}) {
      const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin, actor: 'test' }
      const { id } = await createHubUser(services, input)
      const { json } = await ask('POST', '/api/v1/auth/login', { body: { username, password: 'correct horse' } })
      return { id, username, token: String(pick(json, 'access_token')) }
    },
    down: () => running.stop(),
    relay: () => running.relay,
    async up() {
      running = await start(Number(new URL(url).port))
    },
  }
}
