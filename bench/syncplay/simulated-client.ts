import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import type { SeededRandom } from '../../test/support/seeded-random.ts'
import { SimulatedPlayer } from './simulated-player.ts'

type Timeline = {
  seq: number
  epoch: number
  state: string
  media_id: string | null
  position: number
  at: number
  rate: number
}

type GroupClient = {
  clock: {
    serverTime(time?: number): number
    clientTime(time: number): number
    roundTrip(): number | undefined
    isKnown(): boolean
  }
  group(): { group_id: string } | undefined
  create(fields: object): void
  join(fields: { groupId: string }): void
  send(type: string, fields?: object): boolean
  stop(): void
}

type PlaybackSync = { follow(timeline: Timeline): void; setLoaded(isLoaded: boolean): void; release(): void }

type Modules = {
  createGroupClient(parts: object, listeners: object): GroupClient
  createPlaybackSync(video: object, clock: object, actions: object): PlaybackSync
}

/** The client of the web page. It is JavaScript without type declarations. */
async function loadModules(): Promise<Modules> {
  const load = async (name: string): Promise<object> =>
    (await import(new URL(`../../src/daemon/web/watch/${name}.js`, import.meta.url).href)) as object
  return { ...(await load('group-client')), ...(await load('playback-sync')) } as Modules
}

/** Delays of one link in milliseconds. */
type Link = { up: number; down: number; jitter: number }

/** A socket whose messages are late by the delays of a link, in order. */
function delayedSocket(socket: WebSocket, { up, down, jitter }: Link, random: SeededRandom): object {
  let [upAt, downAt] = [0, 0]
  const late = (delay: number, before: number): number =>
    Math.max(before, performance.now() + delay + random.fraction() * jitter)
  return {
    get readyState() {
      return socket.readyState
    },
    send(text: string) {
      upAt = late(up, upAt)
      setTimeout(() => socket.readyState === socket.OPEN && socket.send(text), upAt - performance.now())
    },
    close: () => socket.close(),
    addEventListener(name: string, listener: (event: { data: string }) => void) {
      if (name === 'close') socket.on('close', () => listener({ data: '' }))
      if (name !== 'message') return
      socket.on('message', (bytes: Buffer) => {
        downAt = late(down, downAt)
        setTimeout(() => listener({ data: bytes.toString() }), downAt - performance.now())
      })
    },
  }
}

export type SimulatedClient = {
  player: SimulatedPlayer
  client: GroupClient
  timeline(): Timeline | undefined
  close(): void
}

/**
 * A client with the code of the web page, on a machine with a wrong clock (10 s, 100 ppm), a slow and asymmetric link (10 to 100 ms, 30 %)
 * and a decoder with an error of 200 ppm.
 */
export async function startClient({
  address,
  token,
  random,
  isReady = true,
}: {
  address: string
  token: string
  random: SeededRandom
  isReady?: boolean
}): Promise<SimulatedClient> {
  const modules = await loadModules()
  const between = (low: number, high: number): number => low + random.fraction() * (high - low)
  const [skew, rate] = [between(-10_000, 10_000), 1 + between(-100e-6, 100e-6)]
  const roundTrip = between(10, 100)
  const share = 0.5 + between(-0.15, 0.15)
  const link = { up: roundTrip * share, down: roundTrip * (1 - share), jitter: 5 }
  const now = (): number => performance.now() * rate + skew
  const player = new SimulatedPlayer(random, between(-200e-6, 200e-6))
  let timeline: Timeline | undefined

  const open = (): Promise<object> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
      socket.once('open', () => resolve(delayedSocket(socket, link, random)))
      socket.once('error', reject)
    })
  const client = modules.createGroupClient(
    { open, now },
    {
      onTimeline(next: Timeline) {
        timeline = next
        sync.follow(next)
      },
    },
  )
  const { clock } = client
  const sync = modules.createPlaybackSync(
    player,
    {
      now,
      serverTime: () => clock.serverTime(),
      clientTime: (time: number) => clock.clientTime(time),
      isKnown: () => clock.isKnown(),
    },
    {
      ready: (ready: boolean, seq: number) => isReady && client.send('syncplay_ready', { ready, seq }),
      report: (position: number, at: number) =>
        client.send('syncplay_report', { position: Math.max(0, position), at, rtt: clock.roundTrip() }),
      command: () => undefined,
      seek: () => undefined,
      blocked: () => undefined,
    },
  )
  sync.setLoaded(true)
  return {
    player,
    client,
    timeline: () => timeline,
    close() {
      client.stop()
      sync.release()
    },
  }
}
