import { randomUUID } from 'node:crypto'
import { shareRunning } from '../../platform/concurrency/index.ts'
import {
  createMessageAssembler,
  openNotificationLink,
  splitMessage,
  type NotificationLink,
} from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'

/** Messages between the server processes of one database. */
export type ProcessLink = {
  /** UUID of this process. */
  readonly processId: string
  /**
   * Opens the connection, unless it is open. From then on others see that this process lives.
   * @throws AppError `database_unavailable`
   */
  open(): Promise<void>
  /** Sends JSON to another process. @throws AppError `database_unavailable` */
  send(processId: string, message: object): Promise<void>
  /** Bytes of the messages to a process that are not sent yet. */
  queuedBytes(processId: string): number
  /** Whether another process runs. @throws AppError `database_unavailable` */
  isAlive(processId: string): Promise<boolean>
  /** From now on, other processes see this one as ended. Messages to them are still sent. @throws AppError `database_unavailable` */
  release(): Promise<void>
  close(): Promise<void>
}

const channelOf = (processId: string): string => `phlix_watch_${processId.replaceAll('-', '')}`

const lockKeyOf = (processId: string): string => `watch-groups:${processId}`

const FIRST_RETRY_MILLISECONDS = 250

const MAX_RETRY_MILLISECONDS = 10_000

/** @param listeners `onMessage` receives the parsed messages of other processes; `onReopened` is called when a lost connection is open again */
export function createProcessLink(
  { connectionUri, log }: { connectionUri: string; log: Logger },
  { onMessage, onReopened }: { onMessage: (message: unknown) => void; onReopened: () => void },
): ProcessLink {
  const processId = randomUUID()
  const join = createMessageAssembler()
  let link: NotificationLink | undefined
  let opening: Promise<void> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let retryMilliseconds = FIRST_RETRY_MILLISECONDS
  let [isClosed, isReleased, wasLost] = [false, false, false]
  const queued = new Map<string, number>()
  /** Simultaneous requests for one process share one query. */
  const asking = new Map<string, Promise<boolean>>()

  function receive(payload: string): void {
    const text = join(payload)
    if (text === undefined) return
    try {
      onMessage(JSON.parse(text))
    } catch (error) {
      log.error({ reason: describeError(error) }, 'a message of another process failed')
    }
  }

  function lose(): void {
    link = undefined
    if (isClosed || isReleased) return
    wasLost = true
    log.warning('the connection for watch groups was lost')
    openLater()
  }

  /** Reopens the lost connection. Without it, this process receives no messages, and other processes take over its groups. */
  function openLater(): void {
    retryTimer = setTimeout(() => {
      open().catch((error: unknown) => {
        log.warning({ reason: describeError(error) }, 'the connection for watch groups could not be opened')
        openLater()
      })
    }, retryMilliseconds)
    retryTimer.unref()
    retryMilliseconds = Math.min(2 * retryMilliseconds, MAX_RETRY_MILLISECONDS)
  }

  async function connect(): Promise<void> {
    const input = { connectionUri, channel: channelOf(processId), lockKey: lockKeyOf(processId) }
    const opened = await openNotificationLink(input, { onMessage: receive, onLost: lose })
    if (isClosed || isReleased) return opened.close()
    link = opened
    retryMilliseconds = FIRST_RETRY_MILLISECONDS
    if (!wasLost) return
    wasLost = false
    onReopened()
  }

  async function open(): Promise<void> {
    if (link !== undefined || isClosed || isReleased) return
    await (opening ??= connect().finally(() => (opening = undefined)))
  }

  return {
    processId,
    open,
    async send(target, message) {
      const text = JSON.stringify(message)
      const addQueued = (bytes: number): void => {
        const total = (queued.get(target) ?? 0) + bytes
        if (total === 0) queued.delete(target)
        else queued.set(target, total)
      }
      const bytes = Buffer.byteLength(text)
      addQueued(bytes)
      try {
        await open()
        const parts = splitMessage(text)
        await Promise.all(parts.map(async (part) => link?.notify(channelOf(target), part)))
      } finally {
        addQueued(-bytes)
      }
    },
    queuedBytes: (id) => queued.get(id) ?? 0,
    async isAlive(id) {
      await open()
      const held = link
      // After `close` every process counts as alive, so that no group is taken over.
      return held === undefined || shareRunning(asking, id, async () => held.isLockHeld(lockKeyOf(id)))
    },
    async release() {
      isReleased = true
      clearTimeout(retryTimer)
      await link?.releaseLock()
    },
    async close() {
      isClosed = true
      clearTimeout(retryTimer)
      await link?.close()
      link = undefined
    },
  }
}
