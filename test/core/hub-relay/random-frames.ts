import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import { openHubTunnel } from '../../../src/core/relay-link/open-hub-tunnel.ts'
import { createOwnServerClient } from '../../../src/core/platform/outbound/index.ts'
import { KEEP_ALIVE, RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS } from '../../../src/core/relay-protocol/index.ts'
import { ask } from '../../support/relay/ask.ts'
import { portOf } from '../../support/relay/hub-side.ts'
import { relayPair } from '../../support/relay/relay-pair.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import { waitUntil } from '../../support/wait-until.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const SETTINGS = frame({ type: 4, flags: 0, stream: 0, payload: Buffer.alloc(0) })

const FRAMES_PER_CONNECTION = 50

/** A valid block of headers (RFC 7541): GET, http, and `/` from the static table. */
const HEADER_BLOCK = Buffer.from([0x82, 0x86, 0x84])

/**
 * Sends random frames to both ends of tunnels. Each time a tunnel of another peer is open beside them, and must work afterwards.
 * @param frames how many, for both ends together
 */
export async function sendRandomFrames(
  t: Test,
  { random, frames }: { random: SeededRandom; frames: number },
): Promise<void> {
  let reached = 0
  const pair = await relayPair(t, {
    origin: (_request, reply) => {
      reached += 1
      reply.end('ok')
    },
  })
  const hostileHub = new WebSocketServer({ port: 0, host: '127.0.0.1', ...WEB_SOCKET_LIMITS })
  await once(hostileHub, 'listening')
  t.teardown(() => hostileHub.close())
  const ownServer = createOwnServerClient({ host: '127.0.0.1', port: portOf(pair.origin) })
  t.teardown(() => ownServer.close())
  const url = (port: number): string => `ws://127.0.0.1:${port}/relay/x`

  /** The hub is attacked by a home server. */
  async function attackHub(): Promise<void> {
    const socket = new WebSocket(url(pair.hubPort), RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS)
    socket.on('error', () => undefined)
    await once(socket, 'open')
    sendAll(socket, random, random.below(4) === 0 ? [] : [SETTINGS])
    socket.close()
    await once(socket, 'close')
  }

  /** A home server is attacked by a hub. */
  async function attackHome(): Promise<void> {
    const accepted = once(hostileHub, 'connection') as Promise<[WebSocket]>
    const socket = new WebSocket(url((hostileHub.address() as AddressInfo).port), RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS)
    socket.once('open', () => socket.pause())
    await once(socket, 'open')
    const link = openHubTunnel({ socket, ownServer, times: KEEP_ALIVE })
    const [attacker] = await accepted
    attacker.on('error', () => undefined)
    sendAll(attacker, random, random.below(4) === 0 ? [] : [PREFACE, SETTINGS])
    attacker.close()
    await link.closed
    await waitUntil('its requests have ended', () => link.requests() === 0)
  }

  const rounds = Math.ceil(frames / FRAMES_PER_CONNECTION)
  for (let round = 0; round < rounds; round += 1) await (round % 2 === 0 ? attackHub() : attackHome())
  await waitUntil('the tunnels of the attackers are closed', () => pair.relay.counts().tunnels <= 1)
  t.comment(`${reached} requests of the hostile hub reached the home server`)
  await pair.connect()
  const { status, body } = await ask(pair.viewerUrl, '/media/a/stream')
  t.equal(status, 200)
  t.equal(String(body), 'ok')
}

function sendAll(socket: WebSocket, random: SeededRandom, first: readonly Buffer[]): void {
  const frames = Array.from({ length: FRAMES_PER_CONNECTION }, () => randomFrame(random))
  const bytes = Buffer.concat([...first, ...frames])
  // Frames are cut anywhere.
  const cut = random.below(bytes.length)
  socket.send(bytes.subarray(0, cut))
  if (random.below(8) === 0) socket.send('text')
  socket.send(bytes.subarray(cut))
}

/** Mostly frames that a session survives: a protocol error ends it, and later frames are not read. */
function randomFrame(random: SeededRandom): Buffer {
  const kind = random.below(40)
  const stream = random.pick([0, 1, 3, 2, 7, 2 ** 31 - 1])
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)))
  if (kind === 0) return bytes(random.below(64))
  if (kind === 1)
    return frame({ type: random.below(256), flags: random.below(256), stream, payload: bytes(random.below(40)) })
  if (kind === 2) return frame({ type: 0, flags: random.below(2), stream, payload: bytes(random.below(40)) })
  if (kind === 3) return frame({ type: 1, flags: 5, stream, payload: bytes(random.below(40)) })
  if (kind === 4) return frame({ type: 3, flags: 0, stream, payload: bytes(4) })
  if (kind === 5) return frame({ type: 7, flags: 0, stream: 0, payload: bytes(8 + random.below(40)) })
  if (kind === 6)
    return frame({ type: 0, flags: 0, stream, payload: bytes(0), length: random.pick([2 ** 24 - 1, 65_537]) })
  if (kind === 7) return frame({ type: 9, flags: random.below(8), stream, payload: bytes(3) })
  if (kind < 12) return frame({ type: 1, flags: 5, stream: 1 + 2 * random.below(1000), payload: HEADER_BLOCK })
  if (kind < 16) return frame({ type: 4, flags: 0, stream: 0, payload: settings(random) })
  if (kind < 26) return frame({ type: 6, flags: random.below(2), stream: 0, payload: bytes(8) })
  return frame({ type: 10 + random.below(200), flags: random.below(256), stream, payload: bytes(random.below(40)) })
}

function settings(random: SeededRandom): Buffer {
  const payload = Buffer.alloc(6)
  payload.writeUInt16BE(random.pick([1, 3, 6, 200]), 0)
  payload.writeUInt32BE(random.below(100_000), 2)
  return payload
}

type Parts = { type: number; flags: number; stream: number; payload: Buffer; length?: number }

/** A frame of HTTP/2 (RFC 9113, 4.1), with a false length if one is given. */
function frame({ type, flags, stream, payload, length = payload.length }: Parts): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
