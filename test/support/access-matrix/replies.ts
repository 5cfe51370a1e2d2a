import type { DeclaredRoute } from '../../../src/daemon/http/app-types.ts'
import type { Answer, TestApp } from '../app.ts'

/** Headers that differ between any two replies. */
const CHANGING_HEADERS: ReadonlySet<string> = new Set(['date', 'x-request-id', 'keep-alive', 'connection'])
const isOfLimits = (name: string): boolean => name.startsWith('x-ratelimit') || name.startsWith('ratelimit')

/** Every byte that the client can compare, without the value that it has asked for. */
export function replyWithout(answer: Answer, value: string): string {
  const headers = [...answer.headers.entries()]
    .filter(([name]) => !CHANGING_HEADERS.has(name) && !isOfLimits(name) && name !== 'content-length')
    .map(([name, text]) => `${name}: ${text}`)
  let reply = [answer.status, ...headers, answer.text].join('\n')
  for (const one of new Set([value, encodeURIComponent(value)])) reply = reply.replaceAll(one, 'VALUE')
  return reply
}

/** A value of the same form that names nothing. The last characters differ, so that both values have the same length. */
export function unknownValue(value: string): string {
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(value)?.[0]
  if (uuid !== undefined) return value.replace(uuid, `${uuid.slice(0, -12)}${crypto.randomUUID().slice(-12)}`)
  if (/\d{4}-\d\d/.test(value)) return value.replace(/\d{4}-\d\d/, '1931-11')
  return `${value.slice(0, -1)}?`
}

/** How a request says who asks. */
export type Caller = { token?: string; apiKey?: string }

/** Asks as a caller. A body is sent with all methods that take one. */
export function askAs(
  { ask }: Pick<TestApp, 'ask'>,
  { token, apiKey }: Caller,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Answer> {
  return ask(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } }),
    ...(['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body: body ?? {} }),
  })
}

/** `GET /api/v1/media/:id` */
export const nameOf = ({ method, url }: Pick<DeclaredRoute, 'method' | 'url'>): string => `${method} ${url}`

/** Whether the replies of a route are about items and depend on the account. */
export const isPersonal = ({ access, reveals }: DeclaredRoute): boolean => access !== 'admin' && reveals === 'items'

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Reading before changing, and changing before removing; of the routes that remove, those of parts first. */
export function inSafeOrder<Route extends DeclaredRoute>(routes: readonly Route[]): Route[] {
  return routes.toSorted(
    (one, other) =>
      ORDER.indexOf(one.method) - ORDER.indexOf(other.method) ||
      (one.method === 'DELETE' ? other.url.length - one.url.length : one.url.localeCompare(other.url)),
  )
}

/** Calls a function for all values, a few at the same time. */
export async function eachOf<Value>(values: readonly Value[], run: (value: Value) => Promise<void>): Promise<void> {
  const left = values.values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const value of left) await run(value)
    }),
  )
}
