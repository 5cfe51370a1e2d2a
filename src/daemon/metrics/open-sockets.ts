import type { Server, Socket } from 'node:net'
import type { Clock } from '../../core/platform/time/index.ts'

export type SocketKind = 'http' | 'websocket'

/** An open connection. */
export type OpenSocket = {
  id: string
  kind: SocketKind
  /** Address of the client after the first request; address of the peer before. */
  clientAddress: string
  accountId: string | null
  openedAt: Date
  /** Bytes per second between the last two samples. */
  bytesInRate: number
  bytesOutRate: number
  /** Monotonic time of the last traffic. */
  busyAtMilliseconds: number
}

/** Bytes of all connections since the previous sample. */
export type Carried = { bytesIn: number; bytesOut: number }

export type OpenSockets = {
  /** Tracks the connections of a server from now on. */
  watch(server: Pick<Server, 'on'>, kind: SocketKind): void
  /** Records the client of the last request of a connection. */
  identify(socket: Socket, who: { clientAddress: string; accountId: string | null }): void
  /** Measures the traffic of each connection since the previous sample and returns the total. */
  sample(): Carried
  list(): OpenSocket[]
  size(): number
}

type Entry = OpenSocket & { bytesRead: number; bytesWritten: number; sampledAt: number }

/** Minimum span for a rate: shorter spans give random values. */
const SHORTEST_SPAN_MILLISECONDS = 1000

export function createOpenSockets(clock: Clock): OpenSockets {
  const open = new Map<Socket, Entry>()
  let count = 0
  let ended: Carried = { bytesIn: 0, bytesOut: 0 }

  function carriedBy(socket: Socket, entry: Entry): Carried {
    const carried = {
      bytesIn: socket.bytesRead - entry.bytesRead,
      bytesOut: socket.bytesWritten - entry.bytesWritten,
    }
    entry.bytesRead = socket.bytesRead
    entry.bytesWritten = socket.bytesWritten
    return carried
  }

  function welcome(socket: Socket, kind: SocketKind): void {
    const now = clock.monotonicMilliseconds()
    count += 1
    const entry: Entry = {
      id: String(count),
      kind,
      clientAddress: socket.remoteAddress ?? '',
      accountId: null,
      openedAt: clock.now(),
      bytesInRate: 0,
      bytesOutRate: 0,
      busyAtMilliseconds: now,
      bytesRead: 0,
      bytesWritten: 0,
      sampledAt: now,
    }
    open.set(socket, entry)
    socket.once('close', () => {
      ended = plus(ended, carriedBy(socket, entry))
      open.delete(socket)
    })
  }

  function sampleOne(socket: Socket, entry: Entry): Carried {
    const now = clock.monotonicMilliseconds()
    const seconds = (now - entry.sampledAt) / 1000
    const carried = carriedBy(socket, entry)
    if (now - entry.sampledAt >= SHORTEST_SPAN_MILLISECONDS) {
      entry.bytesInRate = Math.round(carried.bytesIn / seconds)
      entry.bytesOutRate = Math.round(carried.bytesOut / seconds)
      entry.sampledAt = now
    }
    if (carried.bytesIn + carried.bytesOut > 0) entry.busyAtMilliseconds = now
    return carried
  }

  return {
    watch: (server, kind) => void server.on('connection', (socket: Socket) => welcome(socket, kind)),
    identify(socket, { clientAddress, accountId }) {
      const entry = open.get(socket)
      if (entry === undefined) return
      entry.clientAddress = clientAddress
      entry.accountId = accountId
      entry.busyAtMilliseconds = clock.monotonicMilliseconds()
    },
    sample() {
      let sum = ended
      ended = { bytesIn: 0, bytesOut: 0 }
      for (const [socket, entry] of open) sum = plus(sum, sampleOne(socket, entry))
      return sum
    },
    list: () => [...open.values()],
    size: () => open.size,
  }
}

function plus(a: Carried, b: Carried): Carried {
  return { bytesIn: a.bytesIn + b.bytesIn, bytesOut: a.bytesOut + b.bytesOut }
}
