import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import type { Ceremony } from './ceremony-errors.ts'
import type { Passkey, PasskeyKey } from './passkey.ts'

const PasskeyRow = z.strictObject({
  credentialId: z.instanceof(Buffer),
  accountId: z.string(),
  transports: z.array(z.string()),
  deviceType: z.enum(['platform', 'cross-platform']),
  aaguid: z.string(),
  registeredAt: z.date(),
  lastUsedAt: z.date().nullable(),
})

const KeyRow = z.strictObject({ credentialId: z.instanceof(Buffer), publicKey: z.instanceof(Buffer) })

const ChallengeRow = z.strictObject({
  accountId: z.string(),
  purpose: z.enum(['register', 'login']),
  expiresAt: z.date(),
})

export type NewPasskey = Omit<Passkey, 'registeredAt' | 'lastUsedAt'> & PasskeyKey & { counter: number; now: Date }

const passkeyColumns = sql.fragment`
  credential_id, user_id as account_id, transports, device_type, aaguid, registered_at, last_used_at`

/** Inserts a passkey. An existing credential violates `passkeys_pkey`. Returns undefined when the account already has `most` passkeys. */
export async function insertPasskey(
  connection: Connection,
  row: NewPasskey,
  limit: number,
): Promise<Passkey | undefined> {
  const inserted = await connection.maybeOne(sql.type(PasskeyRow)`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, device_type, aaguid, registered_at)
    select ${sql.binary(row.credentialId)}, ${row.accountId}::uuid, ${sql.binary(row.publicKey)}, ${row.counter}::bigint,
      ${sql.array([...row.transports], 'text')}, ${row.deviceType}, ${row.aaguid}, ${sql.timestamp(row.now)}
    where (select count(*) from passkeys where user_id = ${row.accountId}) < ${limit}
    returning ${passkeyColumns}`)
  return inserted ?? undefined
}

export async function selectPasskeysOfAccount(connection: Connection, accountId: string): Promise<Passkey[]> {
  const rows = await connection.any(sql.type(PasskeyRow)`
    select ${passkeyColumns} from passkeys where user_id = ${accountId} order by registered_at, credential_id`)
  return [...rows]
}

type Owned = { credentialId: Buffer; accountId: string }

export async function findPasskeyKey(
  connection: Connection,
  { credentialId, accountId }: Owned,
): Promise<PasskeyKey | undefined> {
  const row = await connection.maybeOne(sql.type(KeyRow)`
    select credential_id, public_key from passkeys
    where credential_id = ${sql.binary(credentialId)} and user_id = ${accountId}`)
  return row ?? undefined
}

/**
 * Stores a use if its counter is above the last one, or if both are zero, which means an authenticator without a counter (WebAuthn, 7.2,
 * step 22). One statement, so that one of two concurrent uses of the same counter is refused.
 */
export async function updateSignatureCounter(
  connection: Connection,
  { credentialId, counter, now }: { credentialId: Buffer; counter: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update passkeys set counter = ${counter}::bigint, last_used_at = ${sql.timestamp(now)}
    where credential_id = ${sql.binary(credentialId)}
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
  return rowCount === 1
}

export async function deletePasskey(connection: Connection, { credentialId, accountId }: Owned): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from passkeys where credential_id = ${sql.binary(credentialId)} and user_id = ${accountId}`)
  return rowCount === 1
}

export async function deletePasskeysOfAccount(connection: Connection, accountId: string): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`delete from passkeys where user_id = ${accountId}`)
  return rowCount
}

// Challenges

type NewChallenge = { challenge: Buffer; accountId: string; ceremony: Ceremony; now: Date; expiresAt: Date }

export async function insertChallenge(connection: Connection, row: NewChallenge): Promise<void> {
  await connection.query(sql.unsafe`
    insert into webauthn_challenges (challenge, user_id, purpose, created_at, expires_at)
    values (${sql.binary(row.challenge)}, ${row.accountId}, ${row.ceremony}, ${sql.timestamp(row.now)},
      ${sql.timestamp(row.expiresAt)})`)
}

/** Deletes a challenge and returns its data; of two concurrent callers only one gets it. */
export async function deleteChallengeReturning(
  connection: Connection,
  challenge: Buffer,
): Promise<z.infer<typeof ChallengeRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ChallengeRow)`
    delete from webauthn_challenges where challenge = ${sql.binary(challenge)}
    returning user_id as account_id, purpose, expires_at`)
  return row ?? undefined
}

/** Skips rows that another transaction is deleting, so that concurrent calls do not wait for each other. */
export async function deleteExpiredChallenges(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`
    delete from webauthn_challenges where challenge in (
      select challenge from webauthn_challenges where expires_at <= ${sql.timestamp(now)} for update skip locked)`)
}

/** Deletes all but the newest challenges of an account and a ceremony; skips locked rows. */
export async function deleteOldestChallenges(
  connection: Connection,
  { accountId, ceremony, kept }: { accountId: string; ceremony: Ceremony; kept: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from webauthn_challenges where challenge in (
      select challenge from webauthn_challenges
      where user_id = ${accountId} and purpose = ${ceremony} and seq <= (
        select seq from webauthn_challenges where user_id = ${accountId} and purpose = ${ceremony}
        order by seq desc offset ${kept} limit 1)
      for update skip locked)`)
}
