import { Agent, get } from 'node:http'
import { Client } from 'pg'
import type { Question } from './api-questions.ts'

/** Asks a question over one of its connections. */
export type Asker = {
  ask(question: Question, by: { round: number; client: number }): Promise<void>
  /** What is answered, by ids. */
  idsOf(question: Question, round: number): Promise<string[]>
  close(): Promise<void>
}

/** Clients of the daemon: one account, one kept connection each. Bodies are received and thrown away. */
export async function connectOurs(input: { port: number; password: string; clients: number }): Promise<Asker> {
  const headers = { authorization: `Bearer ${await logIn(input)}` }
  const agent = new Agent({ keepAlive: true, maxSockets: input.clients })
  const receive = (path: string, take: (chunk: Buffer) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: input.port, path: `/api/v1${path}`, agent, headers }, (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`${path} was answered ${reply.statusCode}`))
        reply.once('end', resolve).once('error', reject).on('data', take)
      }).once('error', reject)
    })
  return {
    ask: ({ path }, { round }) => receive(path(round), () => undefined),
    async idsOf({ path }, round) {
      const chunks: Buffer[] = []
      await receive(path(round), (chunk) => void chunks.push(chunk))
      const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { items: { id: string }[] }
      return items.map(({ id }) => id)
    },
    close: async () => agent.destroy(),
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

async function logIn({ port, password }: { port: number; password: string }): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password }),
  })
  const { access_token: token } = (await reply.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the login was answered ${reply.status}`)
  return token
}
