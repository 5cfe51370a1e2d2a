import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behaviour of a fake Radarr or Sonarr. */
export type FakeBehaviour = 'well' | 'away' | 'silent' | 'failing' | 'refusing' | 'rubbish' | 'redirecting' | 'foreign'

export type ArrCall = { method: string; path: string; query: URLSearchParams; body: unknown }

export type ArrAnswer = { status: number; json?: unknown }

/** The common behaviour of Radarr and Sonarr: `X-Api-Key`, `/api/v3`, JSON, validation errors as arrays. */
export type FakeArr = {
  /** Its URL, with a path prefix as behind a reverse proxy. */
  url: string
  apiKey: string
  /** All calls with the correct key, in order: `POST /movie`. */
  calls: string[]
  behaviour: FakeBehaviour
  /** Called before each response. */
  beforeAnswer: (call: ArrCall) => Promise<void> | void
}

type Test = { teardown(action: () => Promise<void>): void }

const BASE = '/arr/api/v3'
const ANSWERS_BY_BEHAVIOUR: Partial<Record<FakeBehaviour, ArrAnswer>> = {
  failing: { status: 500, json: { message: 'database is locked', description: 'at NzbDrone.Core' } },
  foreign: { status: 200, json: { hello: 'I am another program' } },
}
const API_KEY = '0123456789abcdef0123456789abcdef'

/** A validation error, as both servers answer it with status 400. */
export function validationError(propertyName: string, errorMessage: string, errorCode: string): ArrAnswer {
  return { status: 400, json: [{ propertyName, errorMessage, attemptedValue: null, severity: 'error', errorCode }] }
}

export async function startFakeArr(t: Test, answer: (call: ArrCall) => ArrAnswer): Promise<FakeArr> {
  const fake: FakeArr = { url: '', apiKey: API_KEY, calls: [], behaviour: 'well', beforeAnswer: () => undefined }
  const server = createServer((request, response) => void take(request, response))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = ({ status, json }: ArrAnswer): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      response.end(json === undefined ? undefined : JSON.stringify(json))
    }
    if (fake.behaviour === 'silent') return undefined
    if (fake.behaviour === 'away') return void request.socket.destroy()
    if (fake.behaviour === 'rubbish') return void response.end('<html>Bad gateway</html>')
    if (fake.behaviour === 'redirecting') return void response.writeHead(302, { location: '/login' }).end()
    const refusal = ANSWERS_BY_BEHAVIOUR[fake.behaviour]
    if (refusal !== undefined) return reply(refusal)
    if (fake.behaviour === 'refusing' && request.method === 'POST') {
      return reply(validationError('RootFolderPath', 'Path is not writable', 'FolderWritableValidator'))
    }
    if (request.headers['x-api-key'] !== API_KEY) return reply({ status: 401, json: { error: 'Unauthorized' } })
    const url = new URL(request.url ?? '', 'http://fake')
    if (!url.pathname.startsWith(BASE)) return reply({ status: 404, json: { message: 'NotFound' } })
    const call: ArrCall = {
      method: request.method ?? '',
      path: url.pathname.slice(BASE.length),
      query: url.searchParams,
      body: await readJson(request),
    }
    fake.calls.push(`${call.method} ${call.path}`)
    await fake.beforeAnswer(call)
    return reply(answer(call))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/arr/`
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
  })
  return fake
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text === '' ? undefined : JSON.parse(text)
}
