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
export type ByteCounts = { bytesIn: number; bytesOut: number }

export type OpenSockets = {
  /** Tracks the connections of a server from now on. */
  watch(server: Pick<Server, 'on'>, kind: SocketKind): void
  /** Records the client of the last request of a connection. */
  identify(socket: Socket, who: { clientAddress: string; accountId: string | null }): void
  /** Measures the traffic of each connection since the previous sample and returns the total. */
  sample(): ByteCounts
  list(): OpenSocket[]
  size(): number
  count(kind: SocketKind): number
}

type Entry = OpenSocket & { bytesRead: number; bytesWritten: number; sampledAt: number }

/** Minimum span for a rate: shorter spans give random values. */
const MIN_RATE_SPAN_MILLISECONDS = 1000

export function createOpenSockets(clock: Clock): OpenSockets {
  const open = new Map<Socket, Entry>()
  let count = 0
  let ended: ByteCounts = { bytesIn: 0, bytesOut: 0 }

  function takeByteCounts(socket: Socket, entry: Entry): ByteCounts {
    const counts = {
      bytesIn: socket.bytesRead - entry.bytesRead,
      bytesOut: socket.bytesWritten - entry.bytesWritten,
    }
    entry.bytesRead = socket.bytesRead
    entry.bytesWritten = socket.bytesWritten
    return counts
  }

  function track(socket: Socket, kind: SocketKind): void {
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
      ended = plus(ended, takeByteCounts(socket, entry))
      open.delete(socket)
    })
  }

  function sampleOne(socket: Socket, entry: Entry): ByteCounts {
    const now = clock.monotonicMilliseconds()
    const seconds = (now - entry.sampledAt) / 1000
    const counts = takeByteCounts(socket, entry)
    if (now - entry.sampledAt >= MIN_RATE_SPAN_MILLISECONDS) {
      entry.bytesInRate = Math.round(counts.bytesIn / seconds)
      entry.bytesOutRate = Math.round(counts.bytesOut / seconds)
      entry.sampledAt = now
    }
    if (counts.bytesIn + counts.bytesOut > 0) entry.busyAtMilliseconds = now
    return counts
  }

  return {
    watch: (server, kind) => void server.on('connection', (socket: Socket) => track(socket, kind)),
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
    count: (kind) => [...open.values()].filter((entry) => entry.kind === kind).length,
  }
}

function plus(a: ByteCounts, b: ByteCounts): ByteCounts {
  return { bytesIn: a.bytesIn + b.bytesIn, bytesOut: a.bytesOut + b.bytesOut }
}
