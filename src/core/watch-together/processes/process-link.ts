import { randomUUID } from 'node:crypto'
import {
  createPartJoiner,
  isSessionLockHeld,
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
  /** Whether another process runs. @throws AppError `database_unavailable` */
  isAlive(processId: string): Promise<boolean>
  close(): Promise<void>
}

const channelOf = (processId: string): string => `phlix_watch_${processId.replaceAll('-', '')}`

const lockKeyOf = (processId: string): string => `watch-groups:${processId}`

/** @param onMessage receives the parsed messages of other processes */
export function createProcessLink(
  { connectionUri, log }: { connectionUri: string; log: Logger },
  onMessage: (message: unknown) => void,
): ProcessLink {
  const processId = randomUUID()
  const join = createPartJoiner()
  let link: NotificationLink | undefined
  let opening: Promise<void> | undefined
  let isClosed = false

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
    log.warning('the connection for watch groups was lost')
    if (!isClosed) open().catch((error: unknown) => log.warning({ reason: describeError(error) }, 'no watch groups'))
  }

  async function connect(): Promise<void> {
    const input = { connectionUri, channel: channelOf(processId), lockKey: lockKeyOf(processId) }
    const opened = await openNotificationLink(input, { onMessage: receive, onLost: lose })
    if (isClosed) await opened.close()
    else link = opened
  }

  async function open(): Promise<void> {
    if (link !== undefined || isClosed) return
    await (opening ??= connect().finally(() => (opening = undefined)))
  }

  return {
    processId,
    open,
    async send(target, message) {
      await open()
      const parts = splitMessage(JSON.stringify(message))
      await Promise.all(parts.map(async (part) => link?.notify(channelOf(target), part)))
    },
    isAlive: (id) => isSessionLockHeld({ connectionUri, key: lockKeyOf(id) }),
    async close() {
      isClosed = true
      await link?.close()
      link = undefined
    },
  }
}
