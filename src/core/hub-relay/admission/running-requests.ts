import type { DirectoryEvent, RelayDirectory } from '../../hub/index.ts'
import { relayErrors } from '../errors.ts'

/** A request from before its first check until its end. */
export type RunningRequest = {
  /** Aborts when the user loses the access to the server. */
  signal: AbortSignal
  /** Only its first call has an effect. */
  end: () => void
}

/** The requests that lost access ends. */
export type RunningRequests = {
  start(input: { userId: string; serverId: string }): RunningRequest
  /** Ends the requests that an event concerns. */
  onEvent(event: DirectoryEvent): void
}

type Entry = { userId: string; serverId: string; controller: AbortController }

export function createRunningRequests({ directory }: { directory: RelayDirectory }): RunningRequests {
  const entries = new Set<Entry>()

  /** Asks for the access of all requests again. Without an answer they end. */
  async function checkAll(): Promise<void> {
    for (const entry of entries) {
      const access = await directory.findServer(entry).catch(() => undefined)
      if (access?.state !== 'online') entry.controller.abort(accessEnded())
    }
  }

  return {
    start(input) {
      const entry = { ...input, controller: new AbortController() }
      entries.add(entry)
      return { signal: entry.controller.signal, end: () => void entries.delete(entry) }
    },
    onEvent(event) {
      if (event.kind === 'events_missed') return void checkAll()
      if (event.kind === 'tunnel_replaced' || event.kind === 'server_renewed') return
      for (const { userId, serverId, controller } of entries) {
        const isLost = event.kind === 'server_revoked' || event.userId === userId
        if (isLost && event.serverId === serverId) controller.abort(accessEnded())
      }
    },
  }
}

function accessEnded(): Error {
  return relayErrors.relay_unavailable({ message: 'The access to the server has ended.' })
}
