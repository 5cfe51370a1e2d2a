import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../test/support/seeded-random.ts'
import { percentile } from '../clients.ts'
import type { Figure } from '../run.ts'
import { startClient, type SimulatedClient } from './simulated-client.ts'

/** Limits in milliseconds. */
const TARGETS = { steady: 50, moving: 150, healed: 3000, late: 10_000 }

const SAMPLE_MILLISECONDS = 100

/** The time after a start that the targets leave to the clients. */
const SETTLING_MILLISECONDS = 3000

const positions = (clients: readonly SimulatedClient[]): number[] =>
  clients.map(({ player }) => player.currentTime * 1000)

const spreadOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** The differences between the first and the last client, sampled for a time. */
async function sampleSpread(clients: readonly SimulatedClient[], milliseconds: number): Promise<number[]> {
  const spreads: number[] = []
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(SAMPLE_MILLISECONDS))
    spreads.push(spreadOf(positions(clients)))
  return spreads
}

async function until(condition: () => boolean, limitMilliseconds = 30_000): Promise<number> {
  const start = performance.now()
  while (!condition()) {
    if (performance.now() - start > limitMilliseconds)
      throw new Error(`not within ${limitMilliseconds} ms: ${String(condition)}`)
    await pause(5)
  }
  return performance.now() - start
}

/**
 * The spread of clients with wrong clocks and slow links: steady, after a start, after a seek, after a stall, and with a member that is
 * never ready.
 */
export async function measureSpread({
  address,
  tokens,
  seed,
}: {
  address: string
  tokens: readonly string[]
  seed: number
}): Promise<Figure[]> {
  const random = seededRandom(seed)
  const clients: SimulatedClient[] = []
  for (const token of tokens) clients.push(await startClient({ address, token, random }))
  const [host] = clients
  if (host === undefined) return []
  host.client.create({ name: 'Measured', position: 0 })
  await until(() => host.client.group() !== undefined)
  const groupId = host.client.group()?.group_id ?? ''
  for (const { client } of clients.slice(1)) client.join({ groupId })
  await until(() => clients.every(({ client }) => client.group() !== undefined))
  // The clocks are known after the first pings.
  await pause(1500)
  host.client.send('syncplay_playback_play', { position: 60_000 })
  await settleAfterStart(host, 60_000)
  const started = await sampleSpread(clients, 3000)
  const steady = await sampleSpread(clients, 15_000)
  host.client.send('syncplay_playback_seek', { to_position: 600_000 })
  await settleAfterStart(host, 600_000)
  const sought = await sampleSpread(clients, 3000)
  const stall = await measureStall(clients)
  for (const client of clients) client.close()

  const count = clients.length
  const figure = (name: string, ours: number, peer: number): Figure => ({
    name: `${count} clients, ${name}`,
    ours,
    peer,
    unit: 'ms',
    peerName: 'target',
    isRequired: true,
  })
  return [
    figure('steady spread p95', percentile(steady, 0.95), TARGETS.steady),
    figure('3 s after play p95', percentile(started, 0.95), TARGETS.moving),
    figure('3 s after seek p95', percentile(sought, 0.95), TARGETS.moving),
    figure('0.7 s stall healed', stall.milliseconds, TARGETS.healed),
    { ...figure('seeks for it', stall.seeks, 1), unit: ' ' },
  ]
}

/** Waits until 3 s after the start of the group at a position, by the time of the server, whatever the clients do meanwhile. */
async function settleAfterStart(host: SimulatedClient, position: number): Promise<void> {
  await until(() => host.timeline()?.state === 'playing' && host.timeline()?.position === position)
  await pause(Math.max(0, (host.timeline()?.at ?? 0) + SETTLING_MILLISECONDS - host.client.clock.serverTime()))
}

/** Until the stalled client is within 50 ms of the middle of the others again. */
async function measureStall(clients: readonly SimulatedClient[]): Promise<{ milliseconds: number; seeks: number }> {
  const stalled = clients[1]
  if (stalled === undefined) return { milliseconds: 0, seeks: 0 }
  const others = clients.filter((client) => client !== stalled)
  const before = stalled.player.seeks
  stalled.player.stall(700)
  await pause(700)
  const isHealed = (): boolean => {
    const middle = percentile(positions(others), 0.5)
    return !stalled.player.seeking && Math.abs(stalled.player.currentTime * 1000 - middle) < TARGETS.steady
  }
  const milliseconds = await until(isHealed)
  await pause(1000)
  return { milliseconds, seeks: stalled.player.seeks - before }
}

/** How long a member that is never ready delays the others after a seek. */
export async function measureLateMember({
  address,
  tokens,
  seed,
}: {
  address: string
  tokens: readonly string[]
  seed: number
}): Promise<Figure[]> {
  const random = seededRandom(seed)
  const clients: SimulatedClient[] = []
  for (const [index, token] of tokens.entries())
    clients.push(await startClient({ address, token, random, isReady: index !== 1 }))
  const [host] = clients
  if (host === undefined) return []
  host.client.create({ name: 'Late' })
  await until(() => host.client.group() !== undefined)
  for (const { client } of clients.slice(1)) client.join({ groupId: host.client.group()?.group_id ?? '' })
  await until(() => clients.every(({ client }) => client.group() !== undefined))
  await pause(1500)
  host.client.send('syncplay_playback_play', { position: 0 })
  // Until it moves, not until the start is announced.
  const delay = await until(() => host.player.currentTime > 0)
  for (const client of clients) client.close()
  return [
    {
      name: 'start with a never ready member',
      ours: delay,
      peer: TARGETS.late,
      unit: 'ms',
      peerName: 'target',
      isRequired: true,
    },
  ]
}
