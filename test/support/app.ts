import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { createAccount, startRefreshSession, type Account } from '../../src/core/accounts/index.ts'
import { type MediaItem } from '../../src/core/catalogue/index.ts'
import { createLibrary, type Library, type LibraryType } from '../../src/core/libraries/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import type { RecentLines } from '../../src/core/platform/logging/index.ts'
import type { SigningServices } from '../../src/core/services.ts'
import { buildApp } from '../../src/daemon/app.ts'
import type { App, Lifecycle, RouteEntry } from '../../src/daemon/http/app-types.ts'
import { createTokenService, type TokenService } from '../../src/daemon/http/tokens.ts'
import { keepWebPages } from '../../scripts/web-pages/keep-web-pages.ts'
import { reachableDirectory } from './directories.ts'
import { sampleMedia, type SampleKind } from './media.ts'
import { testServices } from './services.ts'
import { listWholeItems } from './whole-items.ts'

await keepWebPages(join(import.meta.dirname, '..', '..'))

export type Caller = { account: Account; token: string }

/** The parts of a response that tests check. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined when it is not JSON. */
  json: unknown
}

/** A value inside parsed JSON: `pick(answer.json, 'items', 0, 'id')`; undefined if the path does not exist. */
export function pick(json: unknown, ...path: (string | number)[]): unknown {
  let value = json
  for (const step of path) value = (value as Record<string | number, unknown> | null | undefined)?.[step]
  return value
}

export type Ask = { token?: string; body?: unknown; headers?: Record<string, string> }

export type TestApp = {
  app: App
  services: SigningServices
  tokens: TokenService
  lifecycle: Lifecycle
  /** `http://127.0.0.1:PORT` */
  baseUrl: string
  registerAdmin: () => Promise<Caller>
  registerUser: () => Promise<Caller>
  /**
   * Starts a session of an account, in its main profile or another one.
   * @returns its access token
   */
  signIn: (accountId: string, profileId?: string) => Promise<string>
  /** Sends a real request over a real connection. `body` is sent as JSON; a string is sent unchanged. */
  ask: (method: string, path: string, ask?: Ask) => Promise<Answer>
}

/**
 * Starts the daemon's application on a free port of the loopback interface, with separate services.
 * @param options.routes replaces the product's routes, for tests of the plugins
 */
export async function startApp(
  t: Test,
  options: {
    routes?: readonly RouteEntry[]
    services?: SigningServices
    recentLines?: RecentLines
    port?: number
  } = {},
): Promise<TestApp> {
  const services = options.services ?? (await testServices(t))
  const lifecycle = { isStopping: false }
  const app = await buildApp(services, {
    lifecycle,
    ...(options.routes === undefined ? {} : { routes: options.routes }),
    ...(options.recentLines === undefined ? {} : { recentLines: options.recentLines }),
  })
  t.teardown(() => app.close())
  const baseUrl = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const codec = {
    sign: (claims: object) => app.jwt.sign(claims),
    open: (token: string): unknown => app.jwt.verify(token),
  }
  const tokens = createTokenService({ codec, clock: services.clock })
  const signIn = async (accountId: string, profileId?: string): Promise<string> => {
    const { familyId: sessionId, ...token } = await startRefreshSession(services, { accountId, profileId })
    return tokens.issueAccess({ ...token, sessionId })
  }
  const register = async (username: string, isAdmin: boolean): Promise<Caller> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin }
    const account = await createAccount(services, input)
    return { account, token: await signIn(account.id) }
  }
  return {
    app,
    services,
    tokens,
    lifecycle,
    baseUrl,
    registerAdmin: () => register('admin', true),
    registerUser: () => register('user', false),
    signIn,
    ask: (method, path, ask) => askServer(`${baseUrl}${path}`, method, ask),
  }
}

async function askServer(url: string, method: string, { token, body, headers = {} }: Ask = {}): Promise<Answer> {
  const reply = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** `idOf` is the id of the item with a name; empty when there is none. */
export type FilmLibrary = { library: Library; folder: string; items: MediaItem[]; idOf: (name: string) => string }

/**
 * A movie library with copies of sample films, scanned.
 * @param films maps file names (`A film (1999).mp4`), optionally with a folder, to kinds of samples
 */
export async function scanFilms(
  t: Test,
  services: SigningServices,
  films: Record<string, SampleKind>,
  type: LibraryType = 'movie',
): Promise<FilmLibrary> {
  const folder = reachableDirectory(t)
  for (const [name, kind] of Object.entries(films)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await copyFile(await sampleMedia(kind), join(folder, name))
  }
  const library = await createLibrary(services, { name: 'Films', type, path: folder })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  const { items } = await listWholeItems(services, { libraryId: library.id, limit: 100, offset: 0 })
  return { library, folder, items, idOf: (name) => items.find((item) => item.name === name)?.id ?? '' }
}
