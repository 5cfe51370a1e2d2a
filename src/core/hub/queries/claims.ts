import { sql } from 'slonik'
import { z } from 'zod'
import type { KnownKey } from '../../hub-protocol/index.ts'
import type { Connection } from '../../platform/database/index.ts'

const ClaimRow = z.strictObject({
  idDigest: z.instanceof(Buffer),
  code: z.string(),
  serverName: z.string(),
  version: z.string(),
  publicKeys: z.array(z.strictObject({ kid: z.string(), x: z.string() })),
  isKeyProven: z.boolean(),
  keyThumbprint: z.string(),
  hostnameCandidates: z.array(z.string()),
  expiresAt: z.date(),
  claimedAt: z.date().nullable(),
  deliveredAt: z.date().nullable(),
  serverId: z.string().nullable(),
})

export type Claim = z.infer<typeof ClaimRow>

const columns = sql.fragment`id_digest, code, server_name, version, public_keys, is_key_proven, key_thumbprint,
  hostname_candidates, expires_at, claimed_at, delivered_at, server_id`

type NewClaim = Omit<Claim, 'claimedAt' | 'deliveredAt' | 'serverId' | 'publicKeys'> & {
  publicKeys: readonly KnownKey[]
  now: Date
}

/** Inserts a claim. False if another claim has the code. */
export async function insertClaim(connection: Connection, row: NewClaim): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
      insert into hub_claims (id_digest, code, server_name, version, public_keys, is_key_proven, key_thumbprint,
        hostname_candidates, expires_at, created_at)
      values (${sql.binary(row.idDigest)}, ${row.code}, ${row.serverName}, ${row.version},
        ${sql.jsonb(row.publicKeys.map((key) => ({ ...key })))}, ${row.isKeyProven}, ${row.keyThumbprint},
        ${sql.jsonb(row.hostnameCandidates)}, ${sql.timestamp(row.expiresAt)}, ${sql.timestamp(row.now)})
      on conflict (code) do nothing`)
  return rowCount > 0
}

const CodeRow = z.strictObject({ code: z.string(), expiresAt: z.date() })

/** Deletes the open claim of a proven key. @returns its code, which the next claim of the key gets again */
export async function deleteOpenClaim(
  connection: Connection,
  { keyThumbprint, now }: { keyThumbprint: string; now: Date },
): Promise<z.infer<typeof CodeRow> | undefined> {
  const row = await connection.maybeOne(sql.type(CodeRow)`
    delete from hub_claims where id_digest = (
      select id_digest from hub_claims where key_thumbprint = ${keyThumbprint} and is_key_proven and claimed_at is null
        and expires_at > ${sql.timestamp(now)} order by created_at desc limit 1 for update)
    returning code, expires_at`)
  return row ?? undefined
}

/** The claim with this code, locked until the transaction ends. */
export async function lockClaimByCode(connection: Connection, code: string): Promise<Claim | undefined> {
  const row = await connection.maybeOne(sql.type(ClaimRow)`
    select ${columns} from hub_claims where code = ${code} for update`)
  return row ?? undefined
}

/** The claim with this id, locked until the transaction ends. */
export async function lockClaim(connection: Connection, idDigest: Buffer): Promise<Claim | undefined> {
  const row = await connection.maybeOne(sql.type(ClaimRow)`
    select ${columns} from hub_claims where id_digest = ${sql.binary(idDigest)} for update`)
  return row ?? undefined
}

export async function markClaimed(
  connection: Connection,
  { idDigest, serverId, now }: { idDigest: Buffer; serverId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_claims set claimed_at = ${sql.timestamp(now)}, server_id = ${serverId} where id_digest = ${sql.binary(idDigest)}`)
}

export async function markDelivered(connection: Connection, idDigest: Buffer, now: Date): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_claims set delivered_at = ${sql.timestamp(now)} where id_digest = ${sql.binary(idDigest)}`)
}

/** Deletes claims that expired before a time. */
export async function deleteExpiredClaims(connection: Connection, before: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_claims where expires_at < ${sql.timestamp(before)}`)
}
