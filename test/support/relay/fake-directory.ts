import { randomUUID } from 'node:crypto'
import type { DirectoryEvent, RelayDirectory, ServerAccess, TunnelOpening } from '../../../src/core/hub/index.ts'

/** A directory in memory, with one user and one server. */
export type FakeDirectory = RelayDirectory & {
  emit(event: DirectoryEvent): void
  /** The answer for the server. */
  access: ServerAccess['state']
  opened: (TunnelOpening & { tunnelId: string })[]
  closed: { serverId: string; tunnelId: string }[]
  mints: number
  /** Replaces what is done when a tunnel is stored. */
  onOpened: () => Promise<void>
}

export const USER = 'f2d2a7c5-0b6e-4a0c-8d2e-2a9c5c1d0001'
export const SERVER = '0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001'
export const SERVER_TOKEN = 'Bearer enrolment'

export function fakeDirectory(): FakeDirectory {
  const listeners = new Set<(event: DirectoryEvent) => void>()
  const current = new Map<string, string>()
  const directory: FakeDirectory = {
    access: 'online',
    opened: [],
    closed: [],
    mints: 0,
    onOpened: async () => undefined,
    emit: (event) => listeners.forEach((listener) => listener(event)),
    authenticateServer: async (authorization) => {
      if (authorization !== SERVER_TOKEN) throw new Error('unauthenticated')
      return { serverId: SERVER, generation: 1, expiresAt: new Date(8.64e15) }
    },
    authenticateViewer: async () => ({ userId: USER }),
    findServer: async ({ serverId }) => {
      if (serverId !== SERVER) return { state: 'not_found' }
      if (directory.access !== 'online') return { state: directory.access }
      return { state: 'online', isOwner: true, libraryIds: null, tunnel: null }
    },
    issueServerToken: async () => `minted-${(directory.mints += 1)}`,
    tunnelOpened: async (opening) => {
      await directory.onOpened()
      const tunnelId = randomUUID()
      const before = current.get(opening.serverId)
      current.set(opening.serverId, tunnelId)
      directory.opened.push({ ...opening, tunnelId })
      if (before !== undefined)
        directory.emit({ kind: 'tunnel_replaced', serverId: opening.serverId, tunnelId: before })
      return { tunnelId }
    },
    tunnelClosed: async (end) => void directory.closed.push(end),
    tunnelsAlive: async () => [...current.values()],
    onEvent: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return directory
}
