import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isRowId, type Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { createProcessCounts, rateLimitedError } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { GroupEffect } from './group/effects.ts'
import { watchGroupErrors } from './group/errors.ts'
import type { WatchGroup } from './group/group.ts'
import type { GroupEvent } from './group/inputs.ts'
import { createGroup } from './group/create-group.ts'
import { createGroupStore } from './cross-process/group-store.ts'
import { createProcessCalls, type ProcessRequest } from './cross-process/process-calls.ts'
import { deserializeGroup, serializeGroup } from './cross-process/group-state.ts'
import { createProcessLink } from './cross-process/process-link.ts'
import { createGroupRegistry, type GroupListener } from './registry/group-registry.ts'
import { hashGroupPassword } from './registry/secrets.ts'
import { assignSeat, type JoiningClient, type Seat } from './registry/assign-seat.ts'
import { createServerTime } from './server-time.ts'

/** A new group. */
export type NewWatchGroup = {
  name: string
  description?: string | undefined
  isPublic?: boolean | undefined
  isSharedControl?: boolean | undefined
}

/** The watch groups of all processes of this database. Those of this process are in its memory. */
export type WatchGroups = {
  readonly processId: string
  /** The time base of players in milliseconds; it never jumps. */
  serverMilliseconds(): number
  /**
   * Creates a group in this process, with its first seat.
   * @throws AppError `too_many_groups`, `database_unavailable`
   */
  create(fields: NewWatchGroup, joiner: JoiningClient): Promise<{ group: WatchGroup; seat: Seat }>
  /**
   * Finds the process of a group. A group whose process has ended is taken over.
   * @returns undefined for this process
   * @throws AppError `group_not_found`, `database_unavailable`
   */
  locate(groupId: string): Promise<string | undefined>
  /**
   * Takes a seat in a group of this process.
   * @throws AppError `group_not_found`, `group_full`, `wrong_group_password`, `rate_limited`
   */
  join(groupId: string, joiner: JoiningClient): Seat
  /**
   * Takes a seat in a group of any process. The client connects to it within the time of a lost seat.
   * @throws AppError like `join`, and `group_unreachable`, `database_unavailable`
   */
  joinAnywhere(groupId: string, joiner: JoiningClient): Promise<{ group: WatchGroup; seat: Seat }>
  /**
   * Removes the seat that the session of the joiner has in a group of any process.
   * @throws AppError `not_a_member`, and as above
   */
  leaveAnywhere(groupId: string, joiner: JoiningClient): Promise<void>
  /** Changes a group of this process. @throws AppError `group_not_found`, and the errors of `stepGroup` */
  dispatch(groupId: string, input: GroupEvent): void
  /** A group of this process. */
  find(groupId: string): WatchGroup | undefined
  /** All groups of this process. */
  listOwn(): WatchGroup[]
  /** Public groups, and those in which the account has a seat, of all processes. */
  list(profileId: string): Promise<WatchGroup[]>
  /**
   * A group of any process, as of its last stored state. A group that is not public is found only by its members and by callers that know the
   * id.
   * @throws AppError `group_not_found`
   */
  read(groupId: string): Promise<WatchGroup>
  /** The listener is called after each step of a group of this process. @returns a function that removes it */
  onStep(listener: GroupListener): () => void
  /** The listener is called when another process has taken a group of this one. */
  onMoved(listener: (groupId: string) => void): () => void
  /** The listener is called when another process has ended and its group is taken over. */
  onEnded(listener: (processId: string) => void): () => void
  /** The listener is called when the connection to the other processes was lost and is open again: messages may be missing. */
  onReopened(listener: () => void): () => void
  /** The listener receives messages of other processes. */
  onMessage(listener: (message: unknown) => void): () => void
  /** Sends JSON to another process of this database. @throws AppError `database_unavailable` */
  send(processId: string, message: object): Promise<void>
  /** Bytes of the messages to a process that are not sent yet. */
  queuedBytes(processId: string): number
  /** Whether another process runs; one that has just lost its connection opens it again within a second. */
  isAlive(processId: string): Promise<boolean>
  /** Applies what is due in all groups; runs every few seconds beside the timers. */
  tick(): Promise<void>
  /**
   * Stores all groups and lets other processes take them over. Messages to other processes are still sent.
   * @throws AppError `database_unavailable`
   */
  release(): Promise<void>
  /** Stores all groups and ends; another process can take them over. Idempotent. */
  close(): Promise<void>
}

/** Effects after which a group is stored. The others occur with each report of a member. */
const STORED: ReadonlySet<GroupEffect['kind']> = new Set<GroupEffect['kind']>([
  'timeline',
  'joined',
  'resumed',
  'lost',
  'left',
  'hostElected',
  'queue',
  'chat',
])

const STORED_INPUTS: ReadonlySet<GroupEvent['kind']> = new Set<GroupEvent['kind']>(['resume', 'connect'])

const MAX_PASSWORDS_PER_MINUTE = 10

const RENEWAL_MILLISECONDS = 600_000

/** Several processes may take a group over at the same time; each attempt finds the new holder. */
const LOCATE_ATTEMPTS = 3

/** A process without a connection opens it again within this time. */
const REOPEN_MILLISECONDS = 500

type Services = { db: Database; clock: Clock; log: Logger; connectionUri: string }

/** Creates the watch groups. The connection to other processes is opened with the first group. */
export function createWatchGroups(services: Services): WatchGroups {
  const log = services.log.child({ domain: 'watch-together' })
  const { clock } = services
  const serverMilliseconds = createServerTime(clock)
  const own = { ...services, log, serverMilliseconds }
  const listeners = createListeners()
  const registry = createGroupRegistry(own, step)
  const link = createProcessLink(own, {
    onMessage(message) {
      if (!calls.receive(message)) listeners.message.tell(message)
    },
    onReopened() {
      void dropLost()
      listeners.reopened.tell()
    },
  })
  const calls = createProcessCalls({ link, log }, answerCall)
  const store = createGroupStore(own, { processId: link.processId, onLost: lose })
  const passwords = createProcessCounts(services, { windowSeconds: 60 })
  let renewedAt = clock.monotonicMilliseconds()

  function step(...[group, effects, input]: Parameters<GroupListener>): void {
    if (group.isDissolved) store.remove(group)
    else if (STORED_INPUTS.has(input.kind) || effects.some(({ kind }) => STORED.has(kind))) store.save(group)
    listeners.step.tell(group, effects, input)
  }

  const ownIds = (): string[] => registry.list().map(({ id }) => id)

  /** Removes the groups that other processes have taken over. They do so after a lost connection, because this process then counts as ended. */
  async function dropLost(): Promise<void> {
    try {
      for (const groupId of await store.listLost(ownIds())) if (registry.find(groupId) !== undefined) lose(groupId)
    } catch (error) {
      log.warning({ reason: describeError(error) }, 'the watch groups could not be compared with the database')
    }
  }

  function lose(groupId: string): void {
    log.warning({ groupId }, 'another process has taken a watch group')
    registry.remove(groupId)
    listeners.moved.tell(groupId)
  }

  function join(groupId: string, joiner: JoiningClient): Seat {
    const group = registry.find(groupId)
    if (group === undefined) throw watchGroupErrors.group_not_found()
    if (group.passwordHash !== null && joiner.clientHash !== undefined) {
      const { hits, millisecondsLeft } = passwords.countHit(`${joiner.profileId}:${groupId}`)
      if (hits > MAX_PASSWORDS_PER_MINUTE)
        throw rateLimitedError(millisecondsLeft, 'Too many passwords for this group: try again in a minute')
    }
    const { seat, input } = assignSeat(group, joiner)
    registry.dispatch(groupId, input)
    return seat
  }

  function leave(groupId: string, { profileId, sessionId }: JoiningClient): void {
    const members = [...(registry.find(groupId)?.members.values() ?? [])]
    const own = members.find((member) => member.profileId === profileId && member.sessionId === sessionId)
    if (own === undefined) throw watchGroupErrors.not_a_member()
    registry.dispatch(groupId, { kind: 'leave', memberId: own.id })
  }

  function joinHere(groupId: string, joiner: JoiningClient): { group: WatchGroup; seat: Seat } {
    const seat = join(groupId, joiner)
    const group = registry.find(groupId)
    if (group === undefined) throw watchGroupErrors.group_not_found()
    return { group, seat }
  }

  /** Handles a request of another process. */
  function answerCall({ action, groupId, joiner }: ProcessRequest): Record<string, unknown> {
    if (action === 'leave') {
      leave(groupId, joiner)
      return {}
    }
    const { group, seat } = joinHere(groupId, joiner)
    return { state: serializeGroup(group, serverMilliseconds()), seat }
  }

  async function joinThere(
    processId: string,
    groupId: string,
    joiner: JoiningClient,
  ): Promise<{ group: WatchGroup; seat: Seat }> {
    const result = await calls.call(processId, { action: 'join', groupId, joiner })
    const { state, seat } = result as { state: string; seat: Seat }
    const group = deserializeGroup(state, { now: serverMilliseconds(), age: 0 })
    if (group === undefined) throw watchGroupErrors.group_unreachable()
    return { group, seat }
  }

  /** A process that has just lost its connection opens it again. */
  async function isHolderAlive(processId: string): Promise<boolean> {
    if (await link.isAlive(processId)) return true
    await pause(REOPEN_MILLISECONDS, undefined, { ref: false })
    if (await link.isAlive(processId)) return true
    listeners.ended.tell(processId)
    return false
  }

  async function locate(groupId: string): Promise<string | undefined> {
    for (let attempt = 0; attempt < LOCATE_ATTEMPTS; attempt += 1) {
      if (registry.find(groupId) !== undefined) return undefined
      const holder = isRowId(groupId) ? await store.holderOf(groupId) : undefined
      if (holder === undefined) throw watchGroupErrors.group_not_found()
      if (holder !== link.processId && (await isHolderAlive(holder))) return holder
      await link.open()
      const group = await store.claim(groupId, holder)
      // Two clients may have joined at the same time: the group is here, or another process has it.
      if (registry.find(groupId) !== undefined) return undefined
      if (group === undefined) continue
      registry.add(group)
      store.save(group)
      return undefined
    }
    throw watchGroupErrors.group_unreachable()
  }

  return {
    processId: link.processId,
    serverMilliseconds,
    async create(fields, joiner) {
      const { name, description = '', isPublic = true, isSharedControl = false } = fields
      const id = randomUUID()
      const passwordHash = joiner.clientHash === undefined ? null : hashGroupPassword(id, joiner.clientHash)
      const shape = { id, name, description, ownerId: joiner.profileId, isPublic, passwordHash, isSharedControl }
      const group = createGroup(shape, serverMilliseconds())
      await link.open()
      await store.insert(group)
      registry.add(group)
      return joinHere(id, joiner)
    },
    locate,
    join,
    async joinAnywhere(groupId, joiner) {
      const processId = await locate(groupId)
      return processId === undefined ? joinHere(groupId, joiner) : joinThere(processId, groupId, joiner)
    },
    async leaveAnywhere(groupId, joiner) {
      const processId = await locate(groupId)
      if (processId === undefined) leave(groupId, joiner)
      else await calls.call(processId, { action: 'leave', groupId, joiner })
    },
    dispatch: (groupId, input) => registry.dispatch(groupId, input),
    find: (groupId) => registry.find(groupId),
    listOwn: () => registry.list(),
    async list(profileId) {
      const stored = (await store.list()).map((group) => registry.find(group.id) ?? group)
      const hasSeat = ({ members }: WatchGroup): boolean =>
        [...members.values()].some((member) => member.profileId === profileId)
      return stored.filter((group) => group.isPublic || hasSeat(group))
    },
    async read(groupId) {
      const group = registry.find(groupId) ?? (isRowId(groupId) ? await store.read(groupId) : undefined)
      if (group === undefined) throw watchGroupErrors.group_not_found()
      return group
    },
    onStep: (listener) => listeners.step.add(listener),
    onMoved: (listener) => listeners.moved.add(listener),
    onEnded: (listener) => listeners.ended.add(listener),
    onReopened: (listener) => listeners.reopened.add(listener),
    onMessage: (listener) => listeners.message.add(listener),
    send: (processId, message) => link.send(processId, message),
    queuedBytes: (processId) => link.queuedBytes(processId),
    isAlive: (processId) => link.isAlive(processId),
    async tick() {
      registry.tick()
      store.retry()
      try {
        if (registry.list().length > 0) await link.open()
        // This runs even without own groups, because it also deletes the rows of processes that have ended.
        if (clock.monotonicMilliseconds() - renewedAt < RENEWAL_MILLISECONDS) return
        await store.renew(ownIds())
        renewedAt = clock.monotonicMilliseconds()
      } catch (error) {
        log.warning({ reason: describeError(error) }, 'the watch groups could not be renewed')
      }
    },
    async release() {
      for (const group of registry.list()) store.save(group)
      await store.settled()
      await link.release()
    },
    async close() {
      for (const group of registry.list()) store.save(group)
      registry.close()
      await store.settled()
      await link.close()
    },
  }
}

function createListeners() {
  return {
    step: createListenerSet<Parameters<GroupListener>>(),
    moved: createListenerSet<[groupId: string]>(),
    ended: createListenerSet<[processId: string]>(),
    reopened: createListenerSet<[]>(),
    message: createListenerSet<[message: unknown]>(),
  }
}

function createListenerSet<Values extends unknown[]>() {
  const listeners = new Set<(...values: Values) => void>()
  return {
    tell: (...values: Values): void => {
      for (const listener of listeners) listener(...values)
    },
    add(listener: (...values: Values) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
