import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { createRelay, type Relay, type RelayInput } from '../../../src/core/hub-relay/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { AppError } from '../../../src/core/platform/errors/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { WEB_SOCKET_LIMITS } from '../../../src/core/relay-protocol/index.ts'
import { fakeDirectory, SERVER, USER, type FakeDirectory } from './fake-directory.ts'

/** How each tunnel is opened. */
export const ENROLLED = { serverId: SERVER, generation: 1, expiresAt: new Date('2100-01-01T00:00:00Z') }

/** A relay with a directory in memory. Home servers and viewers use the same port, and neither needs a token. */
export type HubSide = {
  relay: Relay
  directory: FakeDirectory
  port: number
  hubServer: Server
  /** Codes of the errors that viewers got. */
  refusals: string[]
  close(): Promise<void>
}

export async function openHubSide(options: Partial<RelayInput> = {}): Promise<HubSide> {
  const directory = fakeDirectory()
  const relay = createRelay({
    directory,
    clock: systemClock,
    log: await createLogger(loadConfig({ environment: {} }), { level: 'critical' }),
    processId: 'one',
    processAddress: 'http://127.0.0.1:1',
    streamsPerUser: 1000,
    bytesPerSecondPerUser: 0,
    ...options,
  })
  const refusals: string[] = []
  const upgrader = new WebSocketServer({ noServer: true, ...WEB_SOCKET_LIMITS })
  const server = await listen(createServer((request, reply) => void answerViewer({ relay, refusals }, request, reply)))
  server.on('upgrade', (request, socket, head) => {
    upgrader.handleUpgrade(request, socket, head, (webSocket) => {
      void relay.accept(webSocket, { ...ENROLLED, remoteAddress: '127.0.0.1' })
    })
  })
  return {
    relay,
    directory,
    port: portOf(server),
    hubServer: server,
    refusals,
    async close() {
      await relay.close(0)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the route of the hub does, without its token. */
async function answerViewer(
  { relay, refusals }: Pick<HubSide, 'relay' | 'refusals'>,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const leaving = new AbortController()
  reply.once('close', () => leaving.abort())
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { rawHeaders, method = '', url: target = '' } = request
    const fields: [string, string][] = []
    for (let index = 0; index < rawHeaders.length; index += 2)
      fields.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
    const viewer = { userId: USER, serverId: SERVER, address: '203.0.113.9' }
    const admitted = await relay.admit({ ...viewer, method, target, fields }, leaving.signal)
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks)
    const begin = (head: { status: number; fields: Readonly<Record<string, string>> }): ServerResponse =>
      reply.writeHead(head.status, head.fields)
    await relay.send(admitted, { body, viewer: { signal: leaving.signal, begin } })
  } catch (error) {
    const code = error instanceof AppError ? error.code : String(error)
    refusals.push(code)
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(599, { 'x-code': code }).end()
  }
}

export async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
