import t from 'tap'
import { waitUntil } from '../../../support/wait-until.ts'

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/renew-socket-token.js', import.meta.url).href
const { renewSocketToken } = (await import(path)) as {
  renewSocketToken: (socket: EventTarget, renewToken: () => Promise<string>) => void
}

class FakeSocket extends EventTarget {
  readyState = 1
  readonly sent: unknown[] = []

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  take(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

void t.test('the token of a connection is renewed before it expires, again and again', async (t) => {
  const socket = new FakeSocket()
  let tokens = 0
  renewSocketToken(socket, async () => {
    tokens += 1
    if (tokens === 3) throw new Error('the server does not answer')
    return `token ${tokens}`
  })
  t.teardown(() => socket.dispatchEvent(new Event('close')))
  socket.take({ type: 'syncplay_chat', data: { expires_in: 0.001 } })
  for (const message of [
    { type: 'connected', data: {} },
    { type: 'connected', data: { expires_in: 0.01 } },
  ])
    socket.take(message)
  await waitUntil('the token is renewed', () => socket.sent.length === 1)
  socket.take({ type: 'auth_success', data: { expires_in: 0.01 } })
  await waitUntil('and again', () => socket.sent.length === 2)
  t.strictSame(socket.sent, [
    { type: 'auth_request', data: { token: 'token 1' } },
    { type: 'auth_request', data: { token: 'token 2' } },
  ])
  socket.take({ type: 'auth_success', data: { expires_in: 0.01 } })
  await waitUntil('a failure is no error of the page', () => tokens === 3)
  t.equal(socket.sent.length, 2)
})
