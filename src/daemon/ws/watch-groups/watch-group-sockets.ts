import { isRowId } from '../../../core/platform/database/index.ts'
import { describeError } from '../../../core/platform/errors/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { SocketConnection } from '../connection.ts'
import { toGroupPerson } from '../../http/to-group-person.ts'
import { toAppError } from '../../hooks/errors.ts'
import type { MessageViews } from '../messages.view.ts'
import { createLocalGroups, type SyncplayMessage } from './local-groups.ts'
import { addMemberId } from './send-group-effects.ts'
import { createRemoteGroups } from './remote-groups.ts'
import type { Peer, PeerSeat } from './seats.ts'

/** The watch groups for the connections of this process. A group may be in another process of the database. */
export type WatchGroupSockets = {
  /** @throws AppError for a message that is refused */
  handle(connection: SocketConnection, message: SyncplayMessage): Promise<void>
  /** Joins the group that the address of a connection names, if it has no password. */
  enterRoom(connection: SocketConnection): Promise<void>
  /** The connection has closed. */
  remove(connection: SocketConnection): void
  /** Runs every few seconds. */
  sweep(): Promise<void>
  /** Runs every second: finds out which processes have ended, and sends positions to clients that do not follow timelines. */
  check(): Promise<void>
  /** Ends the seats of members that may no longer see the item of their group. */
  checkMembers(): Promise<void>
  /** Number of clients with a seat here, and of connections with a seat in another process. */
  size(): number
  /** Releases the groups of this process, and requests the clients of other processes to join again. */
  close(): Promise<void>
}

type Services = Pick<SigningServices, 'db' | 'watchGroups' | 'log' | 'viewers'>

export function createWatchGroupSockets(services: Services, views: MessageViews): WatchGroupSockets {
  const { watchGroups: groups, log } = services
  const local = createLocalGroups({ services, views, sendToSeats })
  const remote = createRemoteGroups({ groups, views, log, local })

  function sendToSeats(seats: readonly PeerSeat[], text: string, { hasOwnId = false } = {}): void {
    const here = seats.filter(({ peer }) => peer.processId === null)
    for (const { peer, memberId } of here) peer.send(hasOwnId ? addMemberId(text, memberId) : text)
    if (here.length < seats.length)
      remote.deliver(
        seats.filter(({ peer }) => peer.processId !== null),
        text,
        hasOwnId,
      )
  }

  /** A client joins the process that has the group. It keeps its earlier seat until it has the new one. */
  async function join(connection: SocketConnection, message: SyncplayMessage, groupId: string): Promise<void> {
    const processId = await groups.locate(groupId)
    if (processId !== undefined) return remote.join(connection, message, { processId, groupId })
    return enter(connection, message)
  }

  /** A client joins or creates a group of this process. */
  async function enter(connection: SocketConnection, message: SyncplayMessage): Promise<void> {
    await local.handle(localPeer(connection), message)
    remote.giveUp(connection)
  }

  async function handle(connection: SocketConnection, message: SyncplayMessage): Promise<void> {
    const { group_id: groupId } = message.content as { group_id?: unknown }
    if (message.type === 'syncplay_group_join' && typeof groupId === 'string') return join(connection, message, groupId)
    if (message.type === 'syncplay_group_create') return enter(connection, message)
    if (message.type !== 'syncplay_group_list' && remote.forward(connection, message)) return
    return local.handle(localPeer(connection), message)
  }

  return {
    handle,
    async enterRoom(connection) {
      const { room } = connection
      if (room === null || !isRowId(room)) return
      const content = { type: 'syncplay_group_join', group_id: room }
      try {
        await handle(connection, { type: content.type, content, receivedAt: groups.serverMilliseconds() })
      } catch (thrown) {
        // The client joins by a message, for example with a password.
        if (toAppError(thrown).kind === 'failed') log.error({ reason: describeError(thrown) }, 'a room was not entered')
      }
    },
    remove(connection) {
      local.disconnect(connection.id)
      remote.leave(connection)
    },
    async sweep() {
      await groups.tick()
      local.disconnectGhosts()
      await local.checkMembers()
    },
    async check() {
      local.syncFollowers()
      try {
        await local.checkLimits()
      } finally {
        await remote.checkProcesses()
      }
    },
    checkMembers: () => local.checkMembers(),
    size: () => local.size() + remote.size(),
    async close() {
      try {
        // Before the clients are notified: until then, other processes find this process alive as the owner of its groups.
        await groups.release()
      } catch (error) {
        log.warning({ reason: describeError(error) }, 'the watch groups could not be stored before the end')
      }
      local.close()
      remote.close()
    },
  }
}

/** A connection of this process as a client of a group. */
export function localPeer(connection: SocketConnection): Peer {
  return {
    id: connection.id,
    get person() {
      return toGroupPerson(connection.account)
    },
    get sessionId() {
      return connection.sessionId
    },
    processId: null,
    isOpen: () => connection.isOpen(),
    send: (text) => connection.sendText(text),
  }
}
