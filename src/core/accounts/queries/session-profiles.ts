import { sql } from 'slonik'
import { z } from 'zod'
import { type Connection } from '../../platform/database/index.ts'
import type { Session } from '../session.ts'

const ProvenRow = z.strictObject({ provenProfileId: z.string().nullable(), provenAt: z.date().nullable() })

/** The profile whose PIN was verified last in a session, and when. */
export async function selectLastVerifiedProfile(
  connection: Connection,
  { sessionId }: Session,
): Promise<z.infer<typeof ProvenRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ProvenRow)`
    select proven_profile_id, proven_at from refresh_families where id = ${sessionId} and revoked_at is null`)
  return row ?? undefined
}

/** Stores that the PIN of a profile was verified in a session. */
export async function updateLastVerifiedProfile(
  connection: Connection,
  { sessionId, profileId, now }: { sessionId: string; profileId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update refresh_families set proven_profile_id = ${profileId}, proven_at = ${sql.timestamp(now)}
    where id = ${sessionId} and revoked_at is null`)
}

const ChangedRow = z.strictObject({ isInCookie: z.boolean() })

/**
 * Gives an active session another profile of its account. Undefined if the session, or this epoch of it, has ended.
 * @param row.authenticatedAt when the person was authenticated in this profile; null: the time is kept if the profile stays the same
 */
export async function updateSessionProfile(
  connection: Connection,
  row: Session & { epoch: number; profileId: string; authenticatedAt: Date | null },
): Promise<z.infer<typeof ChangedRow> | undefined> {
  const authenticatedAt = row.authenticatedAt === null ? null : sql.timestamp(row.authenticatedAt)
  const changed = await connection.maybeOne(sql.type(ChangedRow)`
    update refresh_families set profile_id = ${row.profileId}, epoch = epoch + 1, proven_profile_id = null, proven_at = null,
      authenticated_at = coalesce(${authenticatedAt}, case when profile_id = ${row.profileId} then authenticated_at end)
    where id = ${row.sessionId} and user_id = ${row.accountId} and epoch = ${row.epoch} and revoked_at is null and not is_restricted
    returning is_in_cookie`)
  return changed ?? undefined
}

const UnusedRow = z.strictObject({ jti: z.string() })

/** The refresh tokens of a session that have not been used and are still valid. */
export async function selectUnusedRefreshTokens(
  connection: Connection,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(UnusedRow)`
    select jti from refresh_tokens
    where family_id = ${sessionId} and used_at is null and expires_at > ${sql.timestamp(now)}
    order by issued_at desc, jti`)
}

export async function deleteRefreshTokens(connection: Connection, jtis: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`delete from refresh_tokens where jti = any (${sql.array([...jtis], 'text')})`)
}
