import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile } from '../clients.ts'
import type { Figure } from '../run.ts'

const COMMANDS = 60

/** One command a time, below the limit of 20 messages a second. */
const PAUSE_MILLISECONDS = 80

type Raw = { socket: WebSocket; onText: (text: string) => void }

async function connect(address: string, token: string): Promise<Raw> {
  const raw: Raw = {
    socket: new WebSocket(address, { headers: { authorization: `Bearer ${token}` } }),
    onText: () => {},
  }
  raw.socket.on('message', (bytes: Buffer) => raw.onText(bytes.toString()))
  await once(raw.socket, 'open')
  return raw
}

async function answerTo(raw: Raw, message: object, type: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  raw.onText = (text) => {
    if (text.includes(`"type":"${type}"`)) resolve(text)
  }
  raw.socket.send(JSON.stringify(message))
  return promise
}

/** The time from a command of the host until each of 64 members has its timeline. */
export async function measureFanOut(address: string, tokens: readonly string[]): Promise<Figure[]> {
  const members = await Promise.all(tokens.map((token) => connect(address, token)))
  const [host] = members
  if (host === undefined) return []
  const state = await answerTo(host, { type: 'syncplay_group_create', group_name: 'Many' }, 'syncplay_group_state')
  const { group } = JSON.parse(state) as { group: { group_id: string } }
  const join = { type: 'syncplay_group_join', group_id: group.group_id }
  for (const member of members.slice(1)) await answerTo(member, join, 'syncplay_group_state')
  await pause(500)
  const delays: number[] = []
  for (let index = 0; index < COMMANDS; index += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const start = performance.now()
    let left = members.length
    for (const member of members) {
      member.onText = (text) => {
        if (!text.startsWith('{"type":"syncplay_timeline"')) return
        member.onText = () => {}
        delays.push(performance.now() - start)
        left -= 1
        if (left === 0) resolve()
      }
    }
    host.socket.send(JSON.stringify({ type: 'syncplay_playback_seek', to_position: index * 1000 }))
    await promise
    await pause(PAUSE_MILLISECONDS)
  }
  for (const { socket } of members) socket.terminate()
  return [
    {
      name: 'command to 64 members p95',
      ours: percentile(delays, 0.95),
      peer: 20,
      unit: 'ms',
      peerName: 'target',
      isRequired: true,
    },
  ]
}

const IDLE = 1000

function residentMebibytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The memory of the daemon for 1,000 connections that do nothing. */
export async function measureIdleMemory(address: string, tokens: readonly string[], pid: number): Promise<Figure[]> {
  const before = residentMebibytes(pid)
  const sockets: Raw[] = []
  for (let count = 0; count < IDLE; count += 50)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) => connect(address, tokens[(count + index) % tokens.length] ?? '')),
      )),
    )
  await pause(1000)
  const grown = residentMebibytes(pid) - before
  for (const { socket } of sockets) socket.terminate()
  return [{ name: '1,000 idle sockets', ours: grown, peer: 50, unit: 'MiB', peerName: 'target', isRequired: true }]
}
