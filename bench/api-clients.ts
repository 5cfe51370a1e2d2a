import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Client } from 'pg'
import type { Question } from './api-questions.ts'

/** Sends a request over one of the connections. */
export type Asker = {
  ask(question: Question, by: { round: number; client: number }): Promise<void>
  /** The ids in the reply. */
  idsOf(question: Question, round: number): Promise<string[]>
  close(): Promise<void>
}

type OurClients = {
  port: number
  password: string
  clients: number
  headers?: Record<string, string>
  /** Default: `ann`. */
  username?: string
}

/**
 * Clients of the daemon: one account, one persistent connection each. They only search the end of the headers and count bytes, because they
 * share the processors with the daemon.
 */
export async function connectOurs(input: OurClients): Promise<Asker & { receivedBytes: () => number }> {
  const token = await logIn(input)
  const headers = { authorization: `Bearer ${token}`, ...input.headers }
  const clients = await Promise.all(Array.from({ length: input.clients }, () => connectOne(input.port, headers)))
  let receivedBytes = 0
  return {
    async ask({ path }, { round, client }) {
      const { chunks = [] } = (await clients[client]?.get(path(round))) ?? {}
      for (const { length } of chunks) receivedBytes += length
    },
    receivedBytes: () => receivedBytes,
    async idsOf({ path }, round) {
      const { chunks = [], bodyStart = 0 } = (await clients[0]?.get(path(round))) ?? {}
      const { items } = JSON.parse(Buffer.concat(chunks).subarray(bodyStart).toString()) as { items: { id: string }[] }
      return items.map(({ id }) => id)
    },
    close: async () => clients.forEach((client) => client.close()),
  }
}

/** The received bytes, and the offset of the body in them. */
type Reply = { chunks: readonly Buffer[]; bodyStart: number }

type HttpClient = { get(path: string): Promise<Reply>; close(): void }

/**
 * One connection with one request at a time. It is opened again after the daemon has closed it as idle. Replies must have a
 * `content-length` (RFC 9112, 6.2).
 */
async function connectOne(port: number, headers: Record<string, string>): Promise<HttpClient> {
  let line = await openLine(port)
  const fields = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return {
    async get(path) {
      if (line.socket.destroyed || !line.socket.readable) line = await openLine(port)
      const { socket, listener } = line
      return new Promise((resolve, reject) => {
        listener.fail = reject
        listener.receive = receiverOf(path, resolve, reject)
        socket.write(`GET /api/v1${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
      })
    },
    close: () => void line.socket.destroy(),
  }
}

type Listener = { receive(chunk: Buffer): void; fail(error: Error): void }

async function openLine(port: number): Promise<{ socket: Socket; listener: Listener }> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  const listener: Listener = { receive: () => undefined, fail: () => undefined }
  socket.on('data', (chunk) => listener.receive(chunk)).on('error', (error) => listener.fail(error))
  socket.on('close', () => listener.fail(new Error('the daemon closed a connection')))
  return { socket, listener }
}

function receiverOf(path: string, resolve: (reply: Reply) => void, reject: (error: Error) => void) {
  const chunks: Buffer[] = []
  let [received, wanted, bodyStart] = [0, 0, 0]
  return (chunk: Buffer): void => {
    chunks.push(chunk)
    received += chunk.length
    if (wanted === 0) {
      const start = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      const end = start.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = start.toString('latin1', 0, end)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
        reject(new Error(`${path} was answered ${head}`))
        return
      }
      bodyStart = end + 4
      wanted = bodyStart + Number(length)
    }
    if (received >= wanted) resolve({ chunks, bodyStart })
  }
}

/** Clients of the database: one connection each, statements prepared. */
export async function connectBare(connectionUri: string, clients: number): Promise<Asker> {
  const connections = Array.from({ length: clients }, () => new Client({ connectionString: connectionUri }))
  for (const connection of connections) await connection.connect()
  const query = async ({ name, bare }: Question, { round, client }: { round: number; client: number }) =>
    connections[client]?.query<{ id: string }>({ name, ...bare(round) })
  return {
    ask: async (question, by) => void (await query(question, by)),
    idsOf: async (question, round) => ((await query(question, { round, client: 0 }))?.rows ?? []).map(({ id }) => id),
    close: async () => void (await Promise.all(connections.map((connection) => connection.end()))),
  }
}

async function logIn({ port, password, username = 'ann' }: OurClients): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { access_token: token } = (await reply.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the login was answered ${reply.status}`)
  return token
}
