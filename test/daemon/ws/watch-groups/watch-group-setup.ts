import type { Test } from 'tap'
import type { TestServicesInput } from '../../../support/services.ts'
import { dial, startSockets, type Client, type Message } from '../../../support/sockets.ts'

/** The WebSockets of a daemon, with clients that each have their own session of one account. */
export async function startGroups(t: Test, input: Omit<TestServicesInput, 'clock'> = {}) {
  const environment = { RATE_LIMIT_WS_CONNECT_MAX: '10000', ...input.environment }
  const app = await startSockets(t, { ...input, environment })
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  return {
    ...app,
    admin,
    user,
    /** A client with a session of its own. */
    async enter(accountId = user.account.id, room?: string): Promise<Client & { token: string }> {
      const token = await app.signIn(accountId)
      const path = room === undefined ? '' : `/?room=${room}`
      const client = await dial(`${app.socketUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
      await client.next('connected')
      return { ...client, token }
    },
  }
}

/** Waits until the server has handled everything that the client has sent. Messages before the reply are kept. */
export async function settled(client: Client): Promise<void> {
  const kept = [...client.waiting]
  client.send({ type: 'ping' })
  await client.next('pong')
  client.waiting.unshift(...kept)
}

/** The group of a state message. */
export function groupOf(message: Message): Record<string, unknown> {
  return message['group'] as Record<string, unknown>
}
