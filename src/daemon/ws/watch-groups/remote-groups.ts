import { Type, type Static } from 'typebox'
import { describeError } from '../../../core/platform/errors/index.ts'
import type { Logger } from '../../../core/platform/logging/index.ts'
import type { WatchGroups } from '../../../core/watch-together/index.ts'
import { typeGuardFor } from '../../http/compile-on-first-use.ts'
import { toAppError } from '../../hooks/errors.ts'
import type { SocketConnection } from '../connection.ts'
import { toGroupPerson } from '../../http/to-group-person.ts'
import { socketErrors } from '../errors.ts'
import type { MessageViews } from '../messages.view.ts'
import type { LocalGroups, SyncplayMessage } from './local-groups.ts'
import { addMemberId } from './send-group-effects.ts'
import type { Peer, PeerSeat } from './seats.ts'

/** Messages between processes. `command` and `closed` go to the process of the group, the others to the one of the connection. */
const Command = Type.Object({
  kind: Type.Literal('command'),
  from: Type.String(),
  peer: Type.Object({
    id: Type.String(),
    sessionId: Type.String(),
    person: Type.Object({ id: Type.String(), username: Type.String() }),
  }),
  type: Type.String(),
  content: Type.Object({}),
})

const Closed = Type.Object({
  kind: Type.Literal('closed'),
  peerIds: Type.Array(Type.String()),
  /** The clients have another seat now; otherwise their seats are kept for a time. */
  isLeaving: Type.Boolean(),
})

const Deliver = Type.Object({
  kind: Type.Literal('deliver'),
  from: Type.String(),
  /** Clients; with a member id it is added to the text. */
  to: Type.Array(Type.Object({ peerId: Type.String(), memberId: Type.Optional(Type.String()) })),
  text: Type.String(),
})

type CommandMessage = Static<typeof Command>

type ProcessMessage = CommandMessage | Static<typeof Closed> | Static<typeof Deliver>

const isCommand = typeGuardFor(Command)
const isClosed = typeGuardFor(Closed)
const isDeliver = typeGuardFor(Deliver)

/** Both sides of groups in other processes: connections of this process that have a seat there, and clients of groups here. */
export type RemoteGroups = {
  /**
   * Joins a group of another process: this and all further messages of the connection are forwarded; those of a client with a seat
   * elsewhere only after the welcome, when it gives up that seat.
   */
  join(connection: SocketConnection, message: SyncplayMessage, group: GroupPlace): void
  /** Forwards a message; false for a connection without a group in another process. */
  forward(connection: SocketConnection, message: SyncplayMessage): boolean
  /** Gives up a seat in another process, for one in this process. */
  giveUp(connection: SocketConnection): void
  /** The connection has closed. */
  leave(connection: SocketConnection): void
  /** Sends a text to clients of other processes. */
  deliver(seats: readonly PeerSeat[], text: string, hasOwnId: boolean): void
  /** Ends what belongs to processes that have ended. Runs every second. */
  checkProcesses(): Promise<void>
  size(): number
  close(): void
}

/** A group and its process. */
type GroupPlace = { processId: string; groupId: string }

/** More bytes than this wait for a process only if the database is slower than the messages; what is sent later is then no use. */
const MAX_QUEUED_BYTES = 4_000_000

type Parts = {
  groups: WatchGroups
  views: Pick<MessageViews, 'syncplayError'>
  log: Logger
  local: Pick<LocalGroups, 'handle' | 'disconnect' | 'hasSeat' | 'leave'>
}

export function createRemoteGroups({ groups, views, log, local }: Parts): RemoteGroups {
  /** Connections of this process by id, with the process of their group. */
  const routes = new Map<string, { connection: SocketConnection; processId: string }>()
  /** Connections with a seat that have requested a new one from another process. */
  const moves = new Map<string, GroupPlace & { connection: SocketConnection }>()
  /** Clients of other processes by connection id. */
  const peers = new Map<string, Peer & { processId: string }>()
  /** The messages of one client are handled one at a time. */
  const queues = new Map<string, Promise<void>>()
  /** Processes that did not live at the last check. */
  let suspects: ReadonlySet<string> = new Set()
  const unsubscribe = [groups.onMessage(receive), groups.onReopened(rejoinAll), groups.onEnded(endProcess)]
  const movedText = (): string => JSON.stringify(views.syncplayError(socketErrors.group_moved()))

  function send(processId: string, message: ProcessMessage): void {
    groups.send(processId, message).catch((error: unknown) => {
      log.warning({ reason: describeError(error) }, 'a message to another process was lost')
    })
  }

  function receive(message: unknown): void {
    if (isDeliver(message)) receiveText(message)
    else if (isClosed(message)) for (const peerId of message.peerIds) drop(peerId, message)
    else if (isCommand(message)) void enqueue(message)
  }

  function receiveText({ from, to, text }: Static<typeof Deliver>): void {
    const unknown = to.map(({ peerId }) => peerId).filter((peerId) => !routes.has(peerId) && !moves.has(peerId))
    // The message that the connection has closed was lost.
    if (unknown.length > 0) send(from, { kind: 'closed', peerIds: unknown, isLeaving: false })
    for (const { peerId, memberId } of to) deliverHere(peerId, text, memberId)
  }

  function deliverHere(peerId: string, text: string, memberId: string | undefined): void {
    const move = moves.get(peerId)
    const { connection } = routes.get(peerId) ?? move ?? {}
    if (connection === undefined) return
    // Only members get a text with a member id.
    if (move !== undefined && memberId !== undefined && groupIdOf(text) === move.groupId) finishMove(move)
    connection.sendText(memberId === undefined ? text : addMemberId(text, memberId))
  }

  /** A client has its new seat: it gives up the old one. */
  function finishMove({ connection, processId }: GroupPlace & { connection: SocketConnection }): void {
    moves.delete(connection.id)
    local.leave(connection.id)
    end(connection.id, { isLeaving: true })
    routes.set(connection.id, { connection, processId })
  }

  function end(peerId: string, { isLeaving }: { isLeaving: boolean }): void {
    const places = [routes.get(peerId), moves.get(peerId)].flatMap((place) => place?.processId ?? [])
    routes.delete(peerId)
    moves.delete(peerId)
    for (const processId of new Set(places)) send(processId, { kind: 'closed', peerIds: [peerId], isLeaving })
  }

  function deliverTo(processId: string, to: Static<typeof Deliver>['to'], text: string): void {
    if (groups.queuedBytes(processId) <= MAX_QUEUED_BYTES)
      send(processId, { kind: 'deliver', from: groups.processId, to, text })
    else to.forEach(({ peerId }) => dismiss(peerId))
  }

  /** The client of another process has to join again. */
  function dismiss(peerId: string): void {
    const peer = peers.get(peerId)
    if (peer === undefined) return
    peers.delete(peerId)
    send(peer.processId, { kind: 'deliver', from: groups.processId, to: [{ peerId }], text: movedText() })
    // Not within a step of the group.
    queueMicrotask(() => local.disconnect(peerId))
  }

  /** The connection of this process has to join again. */
  function rejoin(connection: SocketConnection): void {
    end(connection.id, { isLeaving: false })
    connection.sendText(movedText())
  }

  /** Messages were lost in both directions: a seat or its end may be unknown to the other process. */
  function rejoinAll(): void {
    const connections = [...routes.values(), ...moves.values()].map(({ connection }) => connection)
    for (const connection of new Set(connections)) rejoin(connection)
    for (const id of peers.keys()) dismiss(id)
  }

  /** Its clients are gone, and the connections that had a seat there join again. */
  function endProcess(processId: string): void {
    for (const peer of peers.values()) if (peer.processId === processId) drop(peer.id, { isLeaving: false })
    const places = [...routes.values(), ...moves.values()].filter((place) => place.processId === processId)
    for (const connection of new Set(places.map((place) => place.connection))) {
      for (const map of [routes, moves]) if (map.get(connection.id)?.processId === processId) map.delete(connection.id)
      connection.sendText(movedText())
    }
  }

  function drop(peerId: string, { isLeaving }: { isLeaving: boolean }): void {
    peers.delete(peerId)
    if (isLeaving) local.leave(peerId)
    local.disconnect(peerId)
  }

  async function enqueue(message: CommandMessage): Promise<void> {
    const receivedAt = groups.serverMilliseconds()
    const peer = peers.get(message.peer.id) ?? openPeer(message)
    const work = (queues.get(peer.id) ?? Promise.resolve()).then(() => run(peer, message, receivedAt))
    queues.set(peer.id, work)
    await work
    if (queues.get(peer.id) === work) queues.delete(peer.id)
  }

  async function run(peer: Peer, { type, content }: CommandMessage, receivedAt: number): Promise<void> {
    try {
      await local.handle(peer, { type, content, receivedAt })
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.kind === 'failed') log.error({ type, reason: describeError(thrown) }, 'a WebSocket message failed')
      peer.send(JSON.stringify(views.syncplayError(error)))
    }
  }

  function openPeer({ from, peer: { id, person, sessionId } }: CommandMessage) {
    const peer = {
      id,
      person,
      sessionId,
      processId: from,
      isOpen: () => peers.has(id),
      send(text: string) {
        if (peers.has(id)) deliverTo(from, [{ peerId: id }], text)
      },
    }
    peers.set(id, peer)
    return peer
  }

  function forward(connection: SocketConnection, message: SyncplayMessage): boolean {
    const route = routes.get(connection.id)
    if (route === undefined) return false
    if (groups.queuedBytes(route.processId) > MAX_QUEUED_BYTES) rejoin(connection)
    else sendCommand(connection, message, route.processId)
    return true
  }

  function sendCommand(connection: SocketConnection, { type, content }: SyncplayMessage, processId: string): void {
    const { id, sessionId, account } = connection
    send(processId, {
      kind: 'command',
      from: groups.processId,
      peer: { id, sessionId, person: toGroupPerson(account) },
      type,
      content,
    })
  }

  return {
    join(connection, message, place) {
      if (!connection.isOpen()) return
      const { id } = connection
      const [route, move] = [routes.get(id), moves.get(id)]
      const isMove = route === undefined ? local.hasSeat(id) : route.processId !== place.processId
      moves.delete(id)
      if (move !== undefined && ![place.processId, route?.processId].includes(move.processId))
        send(move.processId, { kind: 'closed', peerIds: [id], isLeaving: true })
      if (isMove) moves.set(id, { connection, ...place })
      else routes.set(id, { connection, processId: place.processId })
      sendCommand(connection, message, place.processId)
    },
    forward,
    giveUp: ({ id }) => end(id, { isLeaving: true }),
    leave: ({ id }) => end(id, { isLeaving: false }),
    deliver(seats, text, hasOwnId) {
      const byProcess = Map.groupBy(seats, ({ peer }) => peer.processId ?? '')
      for (const [processId, group] of byProcess) {
        const to = group.map(({ peer, memberId }) => (hasOwnId ? { peerId: peer.id, memberId } : { peerId: peer.id }))
        deliverTo(processId, to, text)
      }
    },
    async checkProcesses() {
      const places = [...routes.values(), ...moves.values(), ...peers.values()]
      const processIds = new Set(places.map(({ processId }) => processId))
      const silent = await Promise.all(
        [...processIds].map(async (processId) => ((await groups.isAlive(processId)) ? [] : [processId])),
      )
      // A process that has just lost its connection opens it again.
      for (const processId of silent.flat()) if (suspects.has(processId)) endProcess(processId)
      suspects = new Set(silent.flat())
    },
    size: () => routes.size + moves.size + peers.size,
    close() {
      for (const stop of unsubscribe) stop()
      for (const { connection } of [...routes.values(), ...moves.values()]) this.leave(connection)
      peers.clear()
    },
  }
}

/** The group of a message with the whole state; undefined for other messages. */
function groupIdOf(text: string): unknown {
  const { group } = JSON.parse(text) as { group?: { group_id?: unknown } }
  return group?.group_id
}
