import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type ClientRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from './clients.ts'
import type { Probe } from './relay-probes.ts'
import type { Figure } from './run.ts'

const MEBIBYTE = 1024 * 1024
const FILM_BYTES = 256 * MEBIBYTE
const SMALL_REQUESTS = 1000
const BLOCKED = 100
const CANCELLED = 20
const PARALLEL = 500
const ABORTED = 10_000

const TARGETS = { megabytesPerSecond: 100, blockedMebibytes: 2.2, cancelMilliseconds: 200, addedMilliseconds: 2 }

/**
 * The relay against direct requests to the same server in the same run. The hub, the home server and the viewer are three processes; home
 * server and origin share one. The directory of the hub is in memory, so that the tunnel is measured and not the database.
 */
export async function benchRelay(): Promise<Figure[]> {
  const hub = await start('relay-hub.ts')
  const home = await start('relay-home.ts', String(hub.port))
  const [relayed, direct] = [`http://127.0.0.1:${hub.port}`, `http://127.0.0.1:${home.port}`]
  try {
    await small(relayed, 200)
    const steps = [
      // First: what earlier steps have freed would hide the growth of the memory.
      () => blocked(relayed, hub),
      () => throughput({ relayed, direct, hub, home }),
      () => latency(relayed, direct),
      () => cancel(relayed, home),
      () => parallel(relayed, direct),
      () => aborted({ relayed, hub, home }),
    ]
    const figures: Figure[] = []
    for (const step of steps) {
      const measured = await step()
      for (const { name, ours, unit } of measured) process.stderr.write(`${name}: ${ours.toFixed(2)} ${unit}\n`)
      figures.push(...measured)
    }
    return figures
  } finally {
    hub.process.kill()
    home.process.kill()
  }
}

type Part = { process: ChildProcess; port: number; probe(isCollected?: boolean): Promise<Probe> }

async function start(name: string, ...words: string[]): Promise<Part> {
  const child = fork(join(import.meta.dirname, name), words, { execArgv: [...process.execArgv, '--expose-gc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    process: child,
    port,
    async probe(isCollected = false) {
      child.send(isCollected ? 'collect' : 'probe')
      const [probe] = (await once(child, 'message')) as [Probe]
      return probe
    },
  }
}

async function throughput(parts: { relayed: string; direct: string; hub: Part; home: Part }): Promise<Figure[]> {
  const { relayed, direct, hub, home } = parts
  const peer = await download(direct)
  const before = await Promise.all([hub.probe(), home.probe()])
  const ours = await download(relayed)
  const after = await Promise.all([hub.probe(), home.probe()])
  const seconds = after.map(({ processorSeconds }, index) => processorSeconds - (before[index]?.processorSeconds ?? 0))
  const perGigabyte = seconds.map((value) => (value / (FILM_BYTES / 1e9)).toFixed(1))
  process.stderr.write(`processor seconds per GB: hub ${perGigabyte[0]}, home server ${perGigabyte[1]}\n`)
  return [
    { name: 'relay, MB/s of one stream', ours, peer, unit: '/s', peerName: 'direct' },
    { name: 'relay, MB/s of one stream', ours, peer: TARGETS.megabytesPerSecond, unit: '/s', peerName: 'target' },
  ]
}

/** Megabytes per second of a whole film. */
async function download(url: string): Promise<number> {
  const started = performance.now()
  const reply = await open(`${url}/media/${FILM_BYTES}/stream`).reply
  let bytes = 0
  reply.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(reply, 'end')
  if (bytes !== FILM_BYTES) throw new Error(`${bytes} bytes arrived`)
  return bytes / 1e6 / ((performance.now() - started) / 1000)
}

async function latency(relayed: string, direct: string): Promise<Figure[]> {
  const peer = percentile(await small(direct, SMALL_REQUESTS), 0.5)
  const times = await small(relayed, SMALL_REQUESTS)
  const ours = percentile(times, 0.5) - peer
  return [
    { name: 'relay, added p50', ours, peer: TARGETS.addedMilliseconds, unit: 'ms', peerName: 'target' },
    { name: 'relay, p99', ours: percentile(times, 0.99), peer, unit: 'ms', peerName: 'p50 direct' },
  ]
}

/** The milliseconds of small requests, one after the other on one connection. */
async function small(url: string, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let request = 0; request < count; request += 1) {
    const started = performance.now()
    const reply = await open(`${url}/api/v1/media`, agent).reply
    await once(reply.resume(), 'end')
    times.push(performance.now() - started)
  }
  agent.destroy()
  return times
}

async function blocked(relayed: string, hub: Part): Promise<Figure[]> {
  const before = await hub.probe(true)
  const viewers = Array.from({ length: BLOCKED }, () => open(`${relayed}/media/${1024 * MEBIBYTE}/stream`, false))
  for (const { reply } of viewers) (await reply).pause()
  await untilStill(hub)
  const after = await hub.probe(true)
  // The speed of the machine changes from minute to minute: the better one of two counts.
  const fast = [await download(relayed), await download(relayed)]
  for (const { request } of viewers) request.destroy()
  await untilIdle(hub)
  const alone = [await download(relayed), await download(relayed)]
  const growth = (key: 'residentBytes' | 'heldBytes'): number => (after[key] - before[key]) / BLOCKED / MEBIBYTE
  const target = { peer: TARGETS.blockedMebibytes, unit: 'MiB', peerName: 'target' } as const
  return [
    { name: 'relay, resident, a blocked stream', ours: growth('residentBytes'), ...target },
    { name: 'relay, held, a blocked stream', ours: growth('heldBytes'), ...target },
    {
      name: `relay, MB/s beside ${BLOCKED} blocked`,
      ours: Math.max(...fast),
      peer: Math.max(...alone),
      unit: '/s',
      peerName: 'alone',
    },
  ]
}

/** Until the memory of the hub grows no more. */
async function untilStill(hub: Part): Promise<void> {
  let last = 0
  for (let same = 0; same < 5;) {
    await pause(100)
    const { residentBytes } = await hub.probe()
    same = Math.abs(residentBytes - last) < MEBIBYTE ? same + 1 : 0
    last = residentBytes
  }
}

async function untilIdle(...parts: Part[]): Promise<void> {
  for (;;) {
    const probes = await Promise.all(parts.map((part) => part.probe()))
    if (probes.every(({ requests }) => requests === 0)) return
    await pause(20)
  }
}

async function cancel(relayed: string, home: Part): Promise<Figure[]> {
  const times: number[] = []
  for (let round = 0; round < CANCELLED; round += 1) {
    const { cancelled } = await home.probe()
    const { request, reply } = open(`${relayed}/media/${1024 * MEBIBYTE}/stream`, false)
    await once(await reply, 'data')
    const started = performance.now()
    request.destroy()
    while ((await home.probe()).cancelled === cancelled) await pause(1)
    times.push(performance.now() - started)
  }
  const ours = Math.max(...times)
  return [
    { name: 'relay, slowest of 20 cancels', ours, peer: TARGETS.cancelMilliseconds, unit: 'ms', peerName: 'target' },
  ]
}

async function parallel(relayed: string, direct: string): Promise<Figure[]> {
  const measure = async (url: string): Promise<number> => {
    const started = performance.now()
    const replies = await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        const reply = await open(`${url}/api/v1/media`, false).reply
        reply.resume()
        await once(reply, 'end')
        return reply.statusCode
      }),
    )
    const bad = replies.filter((status) => status !== 200)
    if (bad.length > 0) process.stderr.write(`BAD: ${bad.length} of ${PARALLEL} were answered ${bad[0]}\n`)
    return performance.now() - started
  }
  const [peer, ours] = [await measure(direct), await measure(relayed)]
  return [{ name: `relay, ${PARALLEL} parallel requests`, ours, peer, unit: 'ms', peerName: 'direct' }]
}

async function aborted({ relayed, hub, home }: { relayed: string; hub: Part; home: Part }): Promise<Figure[]> {
  await untilIdle(hub, home)
  const before = await Promise.all([hub.probe(true), home.probe(true)])
  const queue = Array.from({ length: ABORTED }, (_, index) => index)
  const abortAll = async (): Promise<void> => {
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      const { request, reply } = open(`${relayed}/media/${1024 * MEBIBYTE}/stream`, false)
      reply.catch(() => undefined)
      if (index % 3 === 0) await reply.then((received) => once(received, 'data')).catch(() => undefined)
      else if (index % 3 === 1) await pause(1)
      const closed = new Promise((resolve) => request.once('close', resolve))
      request.destroy()
      await closed
    }
  }
  await Promise.all(Array.from({ length: 50 }, abortAll))
  await untilIdle(hub, home)
  await pause(2000)
  const after = await Promise.all([hub.probe(true), home.probe(true)])
  const growth = (key: 'timers' | 'descriptors'): number =>
    after.reduce((sum, probe, index) => sum + Math.max(0, probe[key] - (before[index]?.[key] ?? 0)), 0)
  const { statusCode } = await open(`${relayed}/api/v1/media`, false).reply
  process.stderr.write(`after ${ABORTED} aborted requests: ${JSON.stringify({ before, after, statusCode })}\n`)
  const left = after.reduce((sum, { requests }) => sum + requests, 0)
  return [
    { name: `relay, streams after ${ABORTED} aborted`, ours: left, peer: 1, unit: ' ', peerName: 'of one' },
    { name: `relay, timers after ${ABORTED} aborted`, ours: growth('timers'), peer: 1, unit: ' ', peerName: 'of one' },
    { name: 'relay, descriptors after them', ours: growth('descriptors'), peer: 1, unit: ' ', peerName: 'of one' },
  ]
}

/** @param agent false: a connection of its own */
function open(url: string, agent: Agent | false = false): { request: ClientRequest; reply: Promise<IncomingMessage> } {
  const request = get(url, { agent })
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (received) => {
      received.on('error', () => undefined)
      resolve(received)
    })
    request.on('error', reject)
    request.once('close', () => reject(new Error('closed')))
  })
  return { request, reply }
}
