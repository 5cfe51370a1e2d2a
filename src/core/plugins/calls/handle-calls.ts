import { Semaphore } from '../../platform/concurrency/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { PluginType } from '../manifest/plugin-types.ts'
import type { Plugin } from '../plugin.ts'
import { createHttpRequest } from './http-request.ts'
import { createStoredValues } from './stored-values.ts'

const STORE_WINDOW_MILLISECONDS = 1000
const STORE_CALLS_IN_WINDOW = 50
const REQUESTS_PER_MINUTE = 60
/** A scan causes a request per item, and each wrong password causes one. */
const REQUESTS_PER_MINUTE_OF: Readonly<Partial<Record<PluginType, number>>> = {
  'metadata-provider': 600,
  'auth-provider': 240,
}
/** Two in a row time out before a call of 15 s does, so that the plugin can report that its source does not respond. */
const REQUEST_MILLISECONDS = 7000
/** A sign-in waits 5 s for a plugin. */
const SIGN_IN_REQUEST_MILLISECONDS = 4000

/**
 * Handles the calls of one plugin. A plugin has no other access: it has no network and no files of its own.
 * @returns throws an Error whose message is for the author of the plugin
 */
export function createCallHandler(
  { db, outbound }: { db: Database; outbound: Outbound },
  plugin: Plugin,
): (method: string, params: unknown) => Promise<unknown> {
  const values = createStoredValues({ db, pluginName: plugin.name })
  // One statement at a time, so that a plugin takes at most one connection from the requests of users.
  const statements = new Semaphore({ permits: 1 })
  const { permissions, type } = plugin.manifest
  const requestsPerMinute = REQUESTS_PER_MINUTE_OF[type] ?? REQUESTS_PER_MINUTE
  const timeoutMilliseconds = type === 'auth-provider' ? SIGN_IN_REQUEST_MILLISECONDS : REQUEST_MILLISECONDS
  let times: number[] = []
  const inTurn = (work: (params: unknown) => Promise<unknown>) => async (params: unknown) => {
    const now = performance.now()
    times = times.filter((time) => now - time < STORE_WINDOW_MILLISECONDS)
    if (times.length >= STORE_CALLS_IN_WINDOW)
      throw new Error(`more than ${STORE_CALLS_IN_WINDOW} calls of the store a second`)
    times.push(now)
    return statements.run(() => work(params))
  }
  const methods = new Map<string, (params: unknown) => Promise<unknown>>([
    ['http.request', createHttpRequest({ outbound, permissions, requestsPerMinute, timeoutMilliseconds })],
    ['store.get', inTurn((params) => values.get(params))],
    ['store.set', inTurn((params) => values.set(params))],
    ['store.delete', inTurn((params) => values.delete(params))],
    ['store.list', inTurn(() => values.list())],
  ])
  return async (method, params) => {
    const work = methods.get(method)
    if (work === undefined) throw new Error(`unknown method ${method.slice(0, 100)}`)
    return work(params)
  }
}
