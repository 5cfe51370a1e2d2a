import { request as sendRequest, type IncomingMessage, type ClientRequest, type RequestOptions } from 'node:http'

export type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer; isComplete: boolean }

/** Sends a request on a connection of its own. The path is sent as it is. */
export function openRequest(url: string, path: string, options: RequestOptions = {}): ClientRequest {
  const { hostname, port } = new URL(url)
  const request = sendRequest({ hostname, port, path, agent: false, ...options })
  request.on('error', () => undefined)
  return request
}

/** Sends a request and reads the whole reply, or what arrives of it. */
export async function ask(
  url: string,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<Answer> {
  const request = openRequest(url, path, options)
  request.end(body)
  const reply = await responseOf(request)
  return readAnswer(reply)
}

export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.once('close', () => reject(new Error('no reply')))
  })
}

export async function readAnswer(reply: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  reply.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve) => {
    reply.once('close', resolve)
    reply.once('error', () => undefined)
  })
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    body: Buffer.concat(chunks),
    isComplete: reply.complete,
  }
}
