import { randomUUID } from 'node:crypto'
import { shareRunning } from '../platform/concurrency/index.ts'
import {
  createMessageAssembler,
  openNotificationLink,
  splitMessage,
  type NotificationLink,
} from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { PlayerMessage } from './player-messages.ts'

const CHANNEL = 'phlix_players'

const RETRY_MILLISECONDS = 5000

/** The common channel of all processes that have players or ask for them. */
export type PlayerLink = {
  readonly processId: string
  /** Opens the connection, unless it is open. @throws AppError `database_unavailable` */
  open(): Promise<void>
  send(message: PlayerMessage): Promise<void>
  /** How many other processes listen. */
  countOthers(): Promise<number>
  close(): Promise<void>
}

/** @param onMessage receives the messages of other processes */
export function createPlayerLink(
  { connectionUri, log }: { connectionUri: string; log: Logger },
  onMessage: (message: PlayerMessage) => void,
): PlayerLink {
  const processId = randomUUID()
  const join = createMessageAssembler()
  let link: NotificationLink | undefined
  let opening: Promise<void> | undefined
  /** Simultaneous requests share one count. */
  const counting = new Map<string, Promise<number>>()
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false

  function receive(payload: string): void {
    const text = join(payload)
    if (text === undefined) return
    try {
      const message = PlayerMessage.parse(JSON.parse(text))
      if (message.from !== processId) onMessage(message)
    } catch (error) {
      log.warning({ reason: describeError(error) }, 'a message about players was not understood')
    }
  }

  async function connect(): Promise<void> {
    const input = { connectionUri, channel: CHANNEL, lockKey: `players:${processId}` }
    const opened = await openNotificationLink(input, { onMessage: receive, onLost: lose })
    if (isClosed) await opened.close()
    else link = opened
  }

  function lose(): void {
    link = undefined
    if (!isClosed) openLater()
  }

  /** Players stay reachable although the database was away. */
  function openLater(): void {
    retryTimer = setTimeout(() => void open().catch(openLater), RETRY_MILLISECONDS)
    retryTimer.unref()
  }

  async function open(): Promise<void> {
    if (link !== undefined || isClosed) return
    await (opening ??= connect().finally(() => (opening = undefined)))
  }

  async function countOthers(): Promise<number> {
    await open()
    const listening = link
    if (listening === undefined) return 0
    return (await shareRunning(counting, CHANNEL, async () => listening.countListeners())) - 1
  }

  return {
    processId,
    open,
    async send(message) {
      await open()
      for (const part of splitMessage(JSON.stringify(message))) await link?.notify(CHANNEL, part)
    },
    countOthers,
    async close() {
      isClosed = true
      clearTimeout(retryTimer)
      await link?.close()
      link = undefined
    },
  }
}
