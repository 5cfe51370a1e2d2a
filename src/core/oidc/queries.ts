import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

/** Where the browser goes after a sign-in: the page of this server, or an app. */
export const OIDC_CLIENTS = ['web', 'app'] as const
export type OidcClient = (typeof OIDC_CLIENTS)[number]

const RequestRow = z.strictObject({
  issuer: z.string(),
  client: z.enum(OIDC_CLIENTS),
  challenge: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.date(),
})

/** A sign-in that the provider has not answered yet. */
export type OidcRequest = z.infer<typeof RequestRow>

export async function deleteExpiredRequests(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from oidc_requests where expires_at <= ${sql.timestamp(now)}`)
}

/** Also deletes expired ones. */
export async function insertSignInRequest(
  connection: Connection,
  { now, ...row }: OidcRequest & { stateDigest: Buffer; browserDigest: Buffer; now: Date },
): Promise<void> {
  await deleteExpiredRequests(connection, now)
  await connection.query(sql.unsafe`
    insert into oidc_requests (state_digest, browser_digest, issuer, client, challenge, nonce, code_verifier, expires_at)
    values (${sql.binary(row.stateDigest)}, ${sql.binary(row.browserDigest)}, ${row.issuer}, ${row.client}, ${row.challenge},
      ${row.nonce}, ${row.codeVerifier}, ${sql.timestamp(row.expiresAt)})`)
}

/** Takes the request out of the table, so that it is used once; only for the browser that started it. */
export async function deleteRequestReturning(
  connection: Connection,
  { stateDigest, browserDigest }: { stateDigest: Buffer; browserDigest: Buffer },
): Promise<OidcRequest | undefined> {
  const row = await connection.maybeOne(sql.type(RequestRow)`
    delete from oidc_requests where state_digest = ${sql.binary(stateDigest)} and browser_digest = ${sql.binary(browserDigest)}
    returning issuer, client, challenge, nonce, code_verifier, expires_at`)
  return row ?? undefined
}

const PersonRow = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  providerSession: z.string().nullable(),
  idToken: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  isAdministrator: z.boolean().nullable(),
  libraries: z.array(z.string()).nullable(),
})

const CodeRow = PersonRow.extend({ challenge: z.string() })

/** A person whom the provider has authenticated. */
export type OidcPerson = z.infer<typeof PersonRow>

export async function deleteExpiredCodes(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from oidc_codes where expires_at <= ${sql.timestamp(now)}`)
}

/** Also deletes expired ones. */
export async function insertOneTimeCode(
  connection: Connection,
  {
    now,
    codeDigest,
    challenge,
    expiresAt,
    ...row
  }: OidcPerson & { codeDigest: Buffer; challenge: string; expiresAt: Date; now: Date },
): Promise<void> {
  await deleteExpiredCodes(connection, now)
  await connection.query(sql.unsafe`
    insert into oidc_codes (code_digest, issuer, subject, provider_session, id_token, username, email, is_administrator, libraries, challenge, expires_at)
    values (${sql.binary(codeDigest)}, ${row.issuer}, ${row.subject}, ${row.providerSession}, ${row.idToken}, ${row.username},
      ${row.email}, ${row.isAdministrator}, ${row.libraries === null ? null : sql.array([...row.libraries], 'text')}, ${challenge}, ${sql.timestamp(expiresAt)})`)
}

/** Marks a code as used; undefined if it was used before, or has expired. The row stays until the session has begun. */
export async function markOneTimeCodeUsed(
  connection: Connection,
  { codeDigest, now }: { codeDigest: Buffer; now: Date },
): Promise<z.infer<typeof CodeRow> | undefined> {
  const row = await connection.maybeOne(sql.type(CodeRow)`
    update oidc_codes set used_at = ${sql.timestamp(now)}
    where code_digest = ${sql.binary(codeDigest)} and used_at is null and expires_at > ${sql.timestamp(now)}
    returning issuer, subject, provider_session, id_token, username, email, is_administrator, libraries, challenge`)
  return row ?? undefined
}

const NumberRow = z.strictObject({ number: z.number() })

/** @returns false if a logout at the provider has deleted it meanwhile */
export async function deleteOneTimeCode(connection: Connection, codeDigest: Buffer): Promise<boolean> {
  const deleted = await connection.any(sql.type(NumberRow)`
    delete from oidc_codes where code_digest = ${sql.binary(codeDigest)} returning 1 as number`)
  return deleted.length > 0
}

export async function insertProviderSession(
  connection: Connection,
  row: Pick<OidcPerson, 'issuer' | 'subject' | 'providerSession' | 'idToken'> & {
    sessionId: string
    accountId: string
  },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into oidc_sessions (session_id, account_id, issuer, subject, provider_session, id_token)
    values (${row.sessionId}, ${row.accountId}, ${row.issuer}, ${row.subject}, ${row.providerSession}, ${row.idToken})`)
}

const IdTokenRow = z.strictObject({ issuer: z.string(), idToken: z.string().nullable() })

/** Undefined for a session that did not begin at a provider. */
export async function selectProviderSession(
  connection: Connection,
  sessionId: string,
): Promise<z.infer<typeof IdTokenRow> | undefined> {
  const row = await connection.maybeOne(sql.type(IdTokenRow)`
    select issuer, id_token from oidc_sessions where session_id = ${sessionId}`)
  return row ?? undefined
}

const SessionRow = z.strictObject({ accountId: z.string(), sessionId: z.string() })

/** Whom a logout token names: a session of the provider, a person, or a session of a person. */
export type LogoutTarget = { issuer: string; subject: string | null; providerSession: string | null }

const namedBy = ({ issuer, subject, providerSession }: LogoutTarget) => sql.fragment`issuer = ${issuer}
  and (${subject}::text is null or subject = ${subject}) and (${providerSession}::text is null or provider_session = ${providerSession})`

export async function deleteOneTimeCodesOfTarget(connection: Connection, target: LogoutTarget): Promise<void> {
  await connection.query(sql.unsafe`delete from oidc_codes where ${namedBy(target)}`)
}

export async function selectProviderSessionsOfTarget(
  connection: Connection,
  target: LogoutTarget,
): Promise<readonly z.infer<typeof SessionRow>[]> {
  return connection.any(sql.type(SessionRow)`
    select account_id, session_id from oidc_sessions where ${namedBy(target)} order by session_id`)
}

export async function deleteProviderSessions(
  connection: Connection,
  sessions: readonly z.infer<typeof SessionRow>[],
): Promise<void> {
  const ids = sessions.map(({ sessionId }) => sessionId)
  await connection.query(sql.unsafe`delete from oidc_sessions where session_id = any (${sql.array(ids, 'uuid')})`)
}

export async function deleteExpiredLogoutTokens(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from oidc_logout_tokens where expires_at <= ${sql.timestamp(now)}`)
}

/** @returns false if the token was used before */
export async function insertLogoutToken(
  connection: Connection,
  { jtiDigest, expiresAt, now }: { jtiDigest: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  await deleteExpiredLogoutTokens(connection, now)
  const inserted = await connection.any(sql.type(NumberRow)`
    insert into oidc_logout_tokens (jti_digest, expires_at) values (${sql.binary(jtiDigest)}, ${sql.timestamp(expiresAt)})
    on conflict do nothing returning 1 as number`)
  return inserted.length > 0
}
