import type { Test } from 'tap'
import { pick, scanFilms, startApp, type Answer, type Caller, type TestApp } from './app.ts'
import type { SampleKind } from './media.ts'

export const SHARES = '/api/v1/me/shares'

/** A browser that has opened a link. */
export type GuestBrowser = {
  /** The id of the link. */
  id: string
  cookie: string
  /** Asks for a path below the link. */
  ask: (path: string, method?: string, headers?: Record<string, string>) => Promise<Answer>
}

export type SharedFilms = TestApp & { user: Caller; idOf: (name: string) => string; folder: string; libraryId: string }

/** The status and the error code of an answer. */
export function codeOf({ status, json }: Pick<Answer, 'status' | 'json'>): string {
  const code = pick(json, 'code')
  return typeof code === 'string' ? `${status} ${code}` : String(status)
}

/** A server with films, and a user. */
export async function startWithFilms(t: Test, films: Record<string, SampleKind>): Promise<SharedFilms> {
  const app = await startApp(t)
  await app.registerAdmin()
  const user = await app.registerUser()
  const { idOf, folder, library } = await scanFilms(t, app.services, films)
  return { ...app, user, idOf, folder, libraryId: library.id }
}

/** Makes a link over HTTP; returns its id and token. */
export async function share(app: TestApp, { token }: Caller, body: object): Promise<{ id: string; token: string }> {
  const answer = await app.ask('POST', SHARES, { token, body })
  if (answer.status !== 201) throw new Error(`no link: ${answer.status} ${answer.text}`)
  const url = String(pick(answer.json, 'url'))
  return { id: String(pick(answer.json, 'id')), token: url.slice(url.indexOf('#') + 1) }
}

/** Opens a link as a new browser. */
export async function openLink(app: TestApp, token: string, password?: string): Promise<GuestBrowser> {
  const answer = await app.ask('POST', '/s/open', { body: { token, ...(password === undefined ? {} : { password }) } })
  if (answer.status !== 200) throw new Error(`not opened: ${answer.status} ${answer.text}`)
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const id = String(pick(answer.json, 'id'))
  return {
    id,
    cookie,
    ask: (path, method = 'GET', headers = {}) =>
      app.ask(method, `/s/${id}${path}`, {
        headers: { cookie, ...headers },
        ...(method === 'POST' ? { body: {} } : {}),
      }),
  }
}
