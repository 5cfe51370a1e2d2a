import net from 'node:net'
import type { Test } from 'tap'
import { WebSocket, type ClientOptions } from 'ws'
import { startSocketServer, type SocketServer } from '../../src/daemon/ws/server.ts'
import { startApp, type TestApp } from './app.ts'
import { movableClock } from './records.ts'
import { testServices, type TestServicesInput } from './services.ts'

export type Message = { type: string; data?: Record<string, unknown> } & Record<string, unknown>

export type Client = {
  socket: WebSocket
  /** Received messages that were not read yet. */
  waiting: Message[]
  /** Waits for the next message of this type; messages before it are dropped. */
  next: (type: string) => Promise<Message>
  /** Objects are sent as JSON, texts unchanged. */
  send: (message: object | string) => void
  closed: Promise<{ code: number; reason: string }>
}

/** The refusal of a handshake. */
export class Refused extends Error {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string

  constructor(status: number, headers: Refused['headers'], text: string) {
    super(`the handshake was refused with ${status}: ${text}`)
    this.status = status
    this.headers = headers
    this.text = text
  }
}

export type Dial = { protocols?: string[]; headers?: Record<string, string>; options?: ClientOptions }

export type TestSockets = TestApp & {
  clock: ReturnType<typeof movableClock>
  server: SocketServer
  /** `ws://127.0.0.1:PORT` */
  socketUrl: string
  /** Opens a connection and reads its `connected` message; rejects with `Refused`. */
  connect: (token: string) => Promise<Client>
}

/** The daemon's application with its WebSockets, both on free ports of the loopback interface, with a movable clock. */
export async function startSockets(t: Test, input: Omit<TestServicesInput, 'clock'> = {}): Promise<TestSockets> {
  const clock = movableClock()
  const flags = { 'server.host': '127.0.0.1', 'server.websocket_port': '0', ...input.flags }
  const services = await testServices(t, { ...input, clock, flags })
  const app = await startApp(t, { services })
  const server = await startSocketServer(services, app)
  t.teardown(() => server.close())
  const socketUrl = `ws://127.0.0.1:${server.port}`
  const connect = async (token: string): Promise<Client> => {
    const client = await dial(socketUrl, { headers: { authorization: `Bearer ${token}` } })
    await client.next('connected')
    return client
  }
  return { ...app, clock, server, socketUrl, connect }
}

/** The daemon's application with its WebSockets, for browsers: the web page opens one on the port of the application. */
export async function startPageApp(t: Test): Promise<TestApp> {
  const services = await testServices(t, { flags: { 'server.host': '127.0.0.1', 'server.websocket_port': '0' } })
  const app = await startApp(t, { services })
  const server = await startSocketServer(services, app)
  t.teardown(() => server.close())
  return app
}

/** Opens a connection; rejects with `Refused` if the server refuses it. */
export function dial(url: string, { protocols = [], headers = {}, options = {} }: Dial = {}): Promise<Client> {
  const socket = new WebSocket(url, protocols, { headers, ...options })
  const waiting: Message[] = []
  const waiters: { type: string; grant: (message: Message) => void }[] = []
  socket.on('message', (bytes: Buffer) => {
    const message = JSON.parse(bytes.toString()) as Message
    const waiterIndex = waiters.findIndex(({ type }) => type === message.type)
    if (waiterIndex === -1) waiting.push(message)
    else waiters.splice(waiterIndex, 1)[0]?.grant(message)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  const client: Client = {
    socket,
    waiting,
    closed,
    next: (type) => {
      const at = waiting.findIndex((message) => message.type === type)
      const found = at === -1 ? undefined : waiting.splice(0, at + 1).at(-1)
      return found === undefined ? new Promise((grant) => waiters.push({ type, grant })) : Promise.resolve(found)
    },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, reply) => {
      let text = ''
      reply.on('data', (chunk) => (text += String(chunk)))
      reply.on('end', () => reject(new Refused(reply.statusCode ?? 0, reply.headers, text)))
    })
    socket.on('error', reject)
    socket.on('open', () => resolve(client))
  })
}

/** A connection whose frames a test writes byte by byte, without automatic replies; resolves after the 101 response. */
export async function rawSocket(port: number, token: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET /?token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const bytes = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  socket.pause()
  const [head = ''] = bytes.toString('latin1').split('\r\n\r\n')
  if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(head)
  socket.unshift(bytes.subarray(head.length + 4))
  return socket
}

/** A frame of a client, with a mask that changes nothing. */
export function clientFrame(firstByte: number, payload: Buffer): Buffer {
  const length = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([firstByte, ...length, 0, 0, 0, 0]), payload])
}

/** The code of the close frame that ends a raw connection. */
export async function closeCode(socket: net.Socket): Promise<number | undefined> {
  const chunks: Buffer[] = []
  // Unread input ends the connection with a reset, after the close frame.
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  await new Promise((resolve) => socket.once('close', resolve))
  let rest = Buffer.concat(chunks)
  while (rest.length > 2) {
    const [first = 0, size = 0] = rest
    const [head, length] = size < 126 ? [2, size] : [4, rest.readUInt16BE(2)]
    if ((first & 0x0f) === 8) return rest.readUInt16BE(head)
    rest = rest.subarray(head + length)
  }
  return undefined
}
