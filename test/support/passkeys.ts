import { sql } from 'slonik'
import type { Test } from 'tap'
import type { OptionPath } from '../../src/core/platform/config/index.ts'
import { pick, startApp, type Answer, type Caller, type TestApp } from './app.ts'
import { createAuthenticator, type Algorithm, type Authenticator, type ResponseOverrides } from './authenticator.ts'
import { movableClock } from './records.ts'
import { testServices } from './services.ts'

export const PUBLIC_URL = 'https://good.example'
export const RELYING_PARTY = { rpId: 'good.example', origin: PUBLIC_URL }

export const LOGIN_START = '/api/v1/auth/webauthn/login/options'
export const LOGIN_FINISH = '/api/v1/auth/webauthn/login/verify'
export const REGISTER_START = '/api/v1/auth/webauthn/register/options'
export const REGISTER_FINISH = '/api/v1/auth/webauthn/register/verify'
export const CREDENTIALS = '/api/v1/me/webauthn/credentials'

export type PasskeyApp = TestApp & {
  clock: ReturnType<typeof movableClock>
  /** An account `user` and an account `admin`. */
  user: Caller
  admin: Caller
  /** Requests the challenge of a registration by this caller, or of a login with this name. */
  registerChallenge: (caller: Caller) => Promise<string>
  loginChallenge: (username: string) => Promise<string>
  /** Registers an authenticator; creates one by default. */
  register: (caller: Caller, authenticator?: Authenticator, overrides?: ResponseOverrides) => Promise<Answer>
  logIn: (username: string, authenticator: Authenticator, overrides?: ResponseOverrides) => Promise<Answer>
}

/** The daemon with a public URL, a movable clock and limits that the tests do not reach. */
export async function startPasskeyApp(
  t: Test,
  { limit = 1_000_000, flags: more = {} }: { limit?: number; flags?: Partial<Record<OptionPath, string>> } = {},
): Promise<PasskeyApp> {
  const clock = movableClock()
  const flags = {
    'server.rate_limit.webauthn_start.max': String(limit),
    'server.rate_limit.webauthn_finish.max': String(limit),
    ...more,
    'server.public_url': PUBLIC_URL,
  }
  const app = await startApp(t, { services: await testServices(t, { clock, flags }) })
  return withCeremonies(app, clock, { user: await app.registerUser(), admin: await app.registerAdmin() })
}

/** A second daemon on the same database, as after a restart. */
export async function restart(t: Test, { services, clock, user, admin }: PasskeyApp): Promise<PasskeyApp> {
  return withCeremonies(await startApp(t, { services }), clock, { user, admin })
}

function withCeremonies(
  app: TestApp,
  clock: PasskeyApp['clock'],
  callers: Pick<PasskeyApp, 'user' | 'admin'>,
): PasskeyApp {
  const { ask } = app
  const challengeOf = async (path: string, rest: { token?: string; body: object }): Promise<string> =>
    String(pick((await ask('POST', path, rest)).json, 'challenge'))
  const registerChallenge = ({ token }: Caller) => challengeOf(REGISTER_START, { token, body: {} })
  const loginChallenge = (username: string) => challengeOf(LOGIN_START, { body: { username } })
  return {
    ...app,
    ...callers,
    clock,
    registerChallenge,
    loginChallenge,
    register: async (caller, authenticator = newAuthenticator(), overrides = {}) => {
      const challenge = await registerChallenge(caller)
      const body = { credential: authenticator.create(challenge, overrides), challenge }
      return ask('POST', REGISTER_FINISH, { token: caller.token, body })
    },
    logIn: async (username, authenticator, overrides = {}) => {
      const challenge = await loginChallenge(username)
      return ask('POST', LOGIN_FINISH, {
        body: { username, credential: authenticator.get(challenge, overrides), challenge },
      })
    },
  }
}

/** An authenticator of the relying party above. */
export function newAuthenticator(
  options: { algorithm?: Algorithm; credentialIdBytes?: number; counts?: boolean } = {},
): Authenticator {
  return createAuthenticator({ ...RELYING_PARTY, ...options })
}

export const EXPIRED_CHALLENGE = '{"error":"Invalid or expired challenge"}'
export const CHALLENGE_MISMATCH = '{"error":"Challenge mismatch"}'

/** The expected status and complete body of a response. */
export const expectedReply = (status: number, text: string) => ({ status, text })

export const sortedStatuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

export const countOf = async (
  { services: { db } }: PasskeyApp,
  table: 'passkeys' | 'webauthn_challenges',
): Promise<number> => Number(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`))

/** The application with one passkey of `user`. */
export async function startWithPasskey(t: Test) {
  const app = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  t.equal((await app.register(app.user, authenticator)).status, 200)
  const finishLogin = (username: string, challenge: string, credential: object = authenticator.get(challenge)) =>
    app.ask('POST', LOGIN_FINISH, { body: { username, credential, challenge } })
  const finishRegistration = (challenge: string, credential: object) =>
    app.ask('POST', REGISTER_FINISH, { token: app.user.token, body: { credential, challenge } })
  return { app, authenticator, finishLogin, finishRegistration }
}
