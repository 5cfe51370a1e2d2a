import type { Static } from 'typebox'
import type { SigningServices } from '../../../core/services.ts'
import {
  clientPasswordHash,
  watchGroupErrors,
  positionAt,
  type WatchGroup,
  type GroupEffect,
  type GroupEvent,
  type JoiningClient,
} from '../../../core/watch-together/index.ts'
import { catalogueErrors } from '../../../core/catalogue/index.ts'
import { AppError, describeError } from '../../../core/platform/errors/index.ts'
import { typeGuardFor } from '../../http/compile-on-first-use.ts'
import { toAppError } from '../../hooks/errors.ts'
import { socketErrors } from '../errors.ts'
import type { MessageViews } from '../messages.view.ts'
import { sendGroupEffects, type SendToSeats } from './send-group-effects.ts'
import { memberIdForInfo } from './effects.view.ts'
import { GROUP_COMMANDS, selectNextItem } from './group-commands.ts'
import { watchGroupListingView } from '../../../core/views/index.ts'
import { createGroupVisibility } from './group-visibility.ts'
import { createSeats, type Peer, type PeerSeat } from './seats.ts'
import { SYNCPLAY_MESSAGES, type SyncplayType } from './syncplay.schemas.ts'

type Content<Type extends SyncplayType> = Static<(typeof SYNCPLAY_MESSAGES)[Type]>

/** A message of a client, with the server time of its arrival in milliseconds. */
export type SyncplayMessage = { type: string; content: object; receivedAt: number }

/** Handles the messages of clients whose group is in this process. */
export type LocalGroups = {
  /** @throws AppError for a message that is refused */
  handle(peer: Peer, message: SyncplayMessage): Promise<void>
  hasSeat(peerId: string): boolean
  /** Gives up the seat of the client, if it has one. */
  leave(peerId: string): void
  /** The client has disconnected; its seat is kept for a time. */
  disconnect(peerId: string): void
  /** Ends the seats of members that may no longer see the item of their group. A failure of one group does not affect the others. */
  checkMembers(): Promise<void>
  /** The same if a limit of a member has changed since the last call, in whichever process. */
  checkLimits(): Promise<void>
  /** Disconnects members of groups here that no client has. */
  disconnectGhosts(): void
  /** Sends the position of groups that play to members that do not follow timelines, every 5 s. */
  syncFollowers(): void
  /** Disconnects all clients, which are told to join again. */
  close(): void
  size(): number
}

type Parts = {
  services: Pick<SigningServices, 'db' | 'watchGroups' | 'log' | 'viewers'>
  views: MessageViews
  sendToSeats: SendToSeats
}

const SYNC_MILLISECONDS = 5000

const GUARDS = Object.fromEntries(
  Object.entries(SYNCPLAY_MESSAGES).map(([type, schema]) => [type, typeGuardFor(schema)]),
)

export function createLocalGroups({ services, views, sendToSeats }: Parts): LocalGroups {
  const { watchGroups: groups, log } = services
  const visibility = createGroupVisibility(services)
  const seats = createSeats()
  /** When the members of a group got its position, by group. */
  const syncedAt = new Map<string, number>()
  /** The limits of the members at the last check. */
  let limitsBefore = ''
  const delivery = { groups, seats, views, sendToSeats }
  const unsubscribe = [
    groups.onStep((group, effects) => {
      try {
        sendGroupEffects(delivery, group, effects)
      } finally {
        // Also after an error, so that no client keeps a seat that is gone.
        for (const effect of effects) if (effect.kind === 'left') release(effect.memberId)
        if (group.queue.length > 0 && effects.some(isEnd)) void playQueue(group)
        if (group.isDissolved) for (const { peer } of seats.withGroupId(group.id)) seats.remove(peer.id)
      }
    }),
    groups.onMoved(dismiss),
  ]

  /** Tells the clients of a group that they have to join again. */
  function dismiss(groupId: string): void {
    for (const seat of seats.withGroupId(groupId)) {
      sendToSeats([seat], JSON.stringify(views.syncplayError(socketErrors.group_moved())))
      seats.remove(seat.peer.id)
    }
  }

  const reply = (peer: Peer, type: string, fields: object): void => peer.send(JSON.stringify(views.flat(type, fields)))

  /**
   * Connects a client to a seat. It leaves another group first. Another seat in the same group it leaves afterwards: the group has a member
   * all the time.
   */
  function sit(peer: Peer, seat: Omit<PeerSeat, 'peer'>, { reportsReadiness }: JoiningClient): void {
    const before = seats.ofPeer(peer.id)
    if (before !== undefined && before.groupId !== seat.groupId) leave(before)
    // The client has disconnected meanwhile: the seat is kept for a time.
    if (!peer.isOpen()) return
    const lost = seats.set({ ...seat, peer })
    if (lost !== undefined) lost.peer.send(JSON.stringify(views.syncplayError(socketErrors.seat_taken())))
    groups.dispatch(seat.groupId, { kind: 'connect', memberId: seat.memberId, reportsReadiness })
    if (before !== undefined && before.groupId === seat.groupId && before.memberId !== seat.memberId)
      endSeat(before.groupId, before.memberId)
  }

  function leave({ groupId, memberId }: PeerSeat): void {
    groups.dispatch(groupId, { kind: 'leave', memberId })
  }

  /** Ends the seat of a member, which may have left since it was read. */
  function endSeat(groupId: string, memberId: string): void {
    if (groups.find(groupId)?.members.has(memberId) === true) groups.dispatch(groupId, { kind: 'leave', memberId })
  }

  /** A member has left, also by a request over HTTP. */
  function release(memberId: string): void {
    const seat = seats.ofMember(memberId)
    if (seat === undefined) return
    const { peer, groupId } = seat
    seats.remove(peer.id)
    const who = memberIdForInfo({ memberId, name: peer.person.username })
    reply(peer, 'syncplay_info', { code: 'left', message: 'You left the group.', group_id: groupId, ...who })
  }

  async function create(peer: Peer, content: Content<'syncplay_group_create'>): Promise<void> {
    const { group_name: groupName, name = groupName ?? `${peer.person.username}’s group`, media_id: mediaId } = content
    // Translated first: a group with unknown media is not created.
    const { position = 0 } = content
    const media = mediaId === undefined ? undefined : { media_id: mediaId, position }
    const selection = media && (await GROUP_COMMANDS.syncplay_playback_media(media, '', services))
    if (mediaId !== undefined) await visibility.checkOwn(peer.person.id, [mediaId])
    const joiner = joinerOf(peer, content)
    const { group, seat } = await groups.create(
      { name, isPublic: content.is_public, isSharedControl: content.everyone_controls },
      joiner,
    )
    if (selection !== undefined) groups.dispatch(group.id, { ...selection, memberId: seat.memberId })
    sit(peer, { groupId: group.id, ...seat }, joiner)
  }

  async function join(peer: Peer, content: Content<'syncplay_group_join'>): Promise<void> {
    await visibility.checkJoin(peer.person.id, content.group_id)
    const joiner = { ...joinerOf(peer, content), resumeToken: content.resume_token }
    const seat = groups.join(content.group_id, joiner)
    sit(peer, { groupId: content.group_id, ...seat }, joiner)
  }

  /** @throws AppError `not_a_member` without a seat, or for another group than that of the seat */
  function seatOf(peer: Peer, { group_id: groupId }: { group_id?: string }): PeerSeat {
    const seat = seats.ofPeer(peer.id)
    if (seat === undefined || (groupId !== undefined && groupId !== seat.groupId)) throw watchGroupErrors.not_a_member()
    return seat
  }

  async function command(peer: Peer, type: keyof typeof GROUP_COMMANDS, content: { group_id?: string }): Promise<void> {
    const { groupId, memberId } = seatOf(peer, content)
    const translate = GROUP_COMMANDS[type] as (
      fields: object,
      memberId: string,
      services: Parts['services'],
    ) => GroupEvent | Promise<GroupEvent>
    const input = await translate(content, memberId, services)
    await visibility.checkInput(peer.person.id, groupId, input)
    groups.dispatch(groupId, input)
    const group = type === 'syncplay_playback_sync' ? groups.find(groupId) : undefined
    if (group !== undefined) sendSync(group, peer)
  }

  async function next(peer: Peer, content: Content<'syncplay_playback_next'>): Promise<void> {
    const { groupId, memberId } = seatOf(peer, content)
    const group = groups.find(groupId)
    if (group === undefined) throw watchGroupErrors.group_not_found()
    if (group.hostId !== memberId && !group.isSharedControl) throw watchGroupErrors.NOT_HOST()
    const input = await selectNextItem(content, memberId, { services, group })
    try {
      await visibility.checkInput(peer.person.id, groupId, input)
    } catch (error) {
      // Nobody has named the item. That there is one, which somebody here may not see, is not told.
      throw isHiding(error) ? watchGroupErrors.no_next_item() : error
    }
    groups.dispatch(groupId, input)
  }

  /** The media have ended: what waits in the queue follows. */
  async function playQueue({ id, hostId }: WatchGroup): Promise<void> {
    const group = groups.find(id)
    if (group === undefined || hostId === null) return
    try {
      const input = await selectNextItem({ seq: group.timeline.seq }, hostId, { services, group })
      await visibility.checkInput(group.members.get(hostId)?.profileId ?? '', id, input)
      groups.dispatch(id, input)
      groups.dispatch(id, { kind: 'play', memberId: hostId })
    } catch (error) {
      const isFailure = toAppError(error).kind === 'failed'
      if (isFailure) log.error({ groupId: id, reason: describeError(error) }, 'the next item of a group was not played')
    }
  }

  async function checkMembers(): Promise<void> {
    const groupIds = new Set(seats.all().map(({ groupId }) => groupId))
    for (const groupId of groupIds) {
      try {
        for (const memberId of await visibility.blindMembers(groupId)) endSeat(groupId, memberId)
      } catch (error) {
        log.warning({ groupId, reason: describeError(error) }, 'the members of a watch group could not be checked')
      }
    }
  }

  /** Clients without support for timelines correct themselves with this message. The client that requested it always receives it. */
  function sendSync(group: WatchGroup, asking?: Peer): void {
    const isMeant = ({ peer, memberId }: PeerSeat): boolean =>
      peer.id === asking?.id || (isHostOrNobody && group.members.get(memberId)?.reportsReadiness === false)
    const isHostOrNobody = asking === undefined || seats.ofPeer(asking.id)?.memberId === group.hostId
    const to = seats.inGroup(group).filter(isMeant)
    if (isHostOrNobody) syncedAt.set(group.id, groups.serverMilliseconds())
    if (to.length > 0) sendToSeats(to, JSON.stringify(views.flat('syncplay_playback_sync', syncFields(group))))
  }

  function syncFields({ id, hostId, timeline }: WatchGroup): object {
    const now = groups.serverMilliseconds()
    return {
      group_id: id,
      member_id: hostId,
      position: Math.round(positionAt(timeline, now)),
      is_playing: timeline.state === 'playing',
      server_time: Math.round(now),
    }
  }

  async function handle(peer: Peer, { type, content, receivedAt }: SyncplayMessage): Promise<void> {
    if (!isSyncplayType(type)) throw socketErrors.unknown_type()
    if (!isContent(type, content))
      throw socketErrors.invalid_message({ message: `${type} has a wrong or missing field` })
    if (type === 'syncplay_time_ping') return pong(peer, content as Content<typeof type>, receivedAt)
    if (type === 'syncplay_group_list') return list(peer)
    if (type === 'syncplay_group_create') return create(peer, content)
    if (type === 'syncplay_group_join') return join(peer, content as Content<typeof type>)
    if (type === 'syncplay_group_leave') return leave(seatOf(peer, content))
    if (type === 'syncplay_playback_next') return next(peer, content)
    return command(peer, type, content)
  }

  /** Sends both server times, so that the client can separate network latency from processing time. */
  function pong(peer: Peer, { client_time: clientTime }: Content<'syncplay_time_ping'>, receivedAt: number): void {
    peer.send(JSON.stringify(views.timePong({ clientTime, receivedAt, processId: groups.processId })))
  }

  async function list(peer: Peer): Promise<void> {
    const listed = await visibility.filter(peer.person.id, await groups.list(peer.person.id))
    reply(peer, 'syncplay_group_list', { groups: listed.map(watchGroupListingView) })
  }

  return {
    handle,
    hasSeat: (peerId) => seats.ofPeer(peerId) !== undefined,
    leave(peerId) {
      const seat = seats.ofPeer(peerId)
      if (seat !== undefined && groups.find(seat.groupId) !== undefined) leave(seat)
    },
    disconnect(peerId) {
      const seat = seats.remove(peerId)
      if (seat !== undefined && groups.find(seat.groupId) !== undefined)
        groups.dispatch(seat.groupId, { kind: 'disconnect', memberId: seat.memberId })
    },
    size: () => seats.all().length,
    async checkLimits() {
      const limits = await visibility.limitsOf(new Set(seats.all().map(({ groupId }) => groupId)))
      if (limits === limitsBefore) return
      limitsBefore = limits
      await checkMembers()
    },
    checkMembers,
    disconnectGhosts() {
      for (const { id: groupId, members } of groups.listOwn())
        for (const { id: memberId, isConnected } of members.values())
          if (isConnected && seats.ofMember(memberId) === undefined)
            groups.dispatch(groupId, { kind: 'disconnect', memberId })
    },
    syncFollowers() {
      for (const id of syncedAt.keys()) if (groups.find(id)?.timeline.state !== 'playing') syncedAt.delete(id)
      const due = groups.serverMilliseconds() - SYNC_MILLISECONDS
      for (const group of groups.listOwn())
        if (group.timeline.state === 'playing' && (syncedAt.get(group.id) ?? -Infinity) <= due) sendSync(group)
    },
    close() {
      for (const stop of unsubscribe) stop()
      for (const { groupId } of seats.all()) dismiss(groupId)
    },
  }
}

const HIDING: ReadonlySet<string> = new Set([
  watchGroupErrors.hidden_from_member.definition.code,
  catalogueErrors.media_item_not_found.definition.code,
])

const isHiding = (error: unknown): boolean => error instanceof AppError && HIDING.has(error.code)

const isEnd = (effect: GroupEffect): boolean => effect.kind === 'timeline' && effect.cause === 'end'

/** Names of objects that every object has are no types. */
function isSyncplayType(type: string): type is SyncplayType {
  return Object.hasOwn(SYNCPLAY_MESSAGES, type)
}

function isContent(type: SyncplayType, content: object): boolean {
  return GUARDS[type]?.(content) === true
}

/** Who joins, from its token; only the shown name and the password are from the message. */
function joinerOf(
  peer: Peer,
  content: Omit<Content<'syncplay_group_join'>, 'group_id' | 'resume_token'>,
): JoiningClient {
  const { member_name: name, password, password_hash: hash, reports_readiness: reportsReadiness = false } = content
  return {
    profileId: peer.person.id,
    username: peer.person.username,
    sessionId: peer.sessionId,
    name,
    clientHash: password === undefined ? hash : clientPasswordHash(password),
    reportsReadiness,
  }
}
