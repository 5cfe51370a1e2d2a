import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Permissions } from '../manifest/manifest.ts'

const MAX_REPLY_BYTES = 5 * 1024 * 1024
const WINDOW_MILLISECONDS = 60_000
const MAX_HEADERS = 32

const RequestSchema = z.strictObject({
  url: z.string().max(8192),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('GET'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), z.string().max(4096))
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, 'too many headers')
    .default({}),
  body: z.string().optional(),
})

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Headers that belong to the connection. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'transfer-encoding',
  'content-length',
  'upgrade',
])

export type HttpReply = {
  status: number
  headers: Readonly<Record<string, string>>
  /** Text, or base64 when the bytes are not UTF-8. */
  body: string
  encoding: 'utf8' | 'base64'
}

/** Sends the requests of one plugin: only to granted hosts, some a minute, through the server's client. */
export function createHttpRequest({
  outbound,
  permissions,
  requestsPerMinute,
  timeoutMilliseconds,
}: {
  outbound: Outbound
  permissions: Permissions
  requestsPerMinute: number
  timeoutMilliseconds: number
}): (params: unknown) => Promise<HttpReply> {
  const trust = permissions.isPrivateNetworkAllowed ? 'configured' : 'public'
  let times: number[] = []
  return async (params) => {
    const parsed = RequestSchema.safeParse(params)
    if (!parsed.success) throw new Error(`invalid request: ${parsed.error.issues[0]?.message ?? ''}`)
    const { url, method, headers, body } = parsed.data
    const target = URL.parse(url)
    if (target === null || !isGranted(permissions.hosts, target)) {
      throw new Error(`requests to ${target?.host ?? 'this address'} are not granted`)
    }
    const now = performance.now()
    times = times.filter((time) => now - time < WINDOW_MILLISECONDS)
    if (times.length >= requestsPerMinute) throw new Error(`more than ${requestsPerMinute} requests a minute`)
    times.push(now)
    const reply = await outbound.send({
      purpose: 'plugin',
      url,
      method,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))),
      ...(body === undefined ? {} : { body }),
      trust,
      timeoutMilliseconds,
      maximumBytes: MAX_REPLY_BYTES,
    })
    return { status: reply.status, headers: reply.headers, ...textOf(reply.body) }
  }
}

/** A granted host without a port allows each port. An address leaves out the default port of its protocol. */
export function isGranted(hosts: readonly string[], { hostname, port, protocol }: URL): boolean {
  const host = `${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`
  return hosts.some((granted) => granted === '*' || granted === hostname || granted === host)
}

function textOf(body: Uint8Array): Pick<HttpReply, 'body' | 'encoding'> {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true }).decode(body), encoding: 'utf8' }
  } catch {
    return { body: Buffer.from(body).toString('base64'), encoding: 'base64' }
  }
}
