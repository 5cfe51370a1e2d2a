import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const KeyRow = z.strictObject({
  kid: z.string(),
  publicX: z.string(),
  privateBox: z.instanceof(Buffer),
  createdAt: z.date(),
  retiredAt: z.date().nullable(),
})

export type SigningKeyRow = z.infer<typeof KeyRow>

/** The key that signs, and those that were retired after a time, newest first. */
export async function selectSigningKeys(connection: Connection, retiredAfter: Date): Promise<readonly SigningKeyRow[]> {
  return connection.any(sql.type(KeyRow)`
    select kid, public_x, private_box, created_at, retired_at from hub_signing_keys
    where retired_at is null or retired_at > ${sql.timestamp(retiredAfter)} order by created_at desc`)
}

/** Retires the key that signs, if there is one, and inserts its successor. Serialised over all processes. */
export async function replaceSigningKey(
  connection: Connection,
  { kid, publicX, privateBox, now }: Pick<SigningKeyRow, 'kid' | 'publicX' | 'privateBox'> & { now: Date },
): Promise<void> {
  const at = sql.timestamp(now)
  await connection.query(sql.unsafe`update hub_signing_keys set retired_at = ${at} where retired_at is null`)
  await connection.query(sql.unsafe`
    insert into hub_signing_keys (kid, public_x, private_box, created_at)
    values (${kid}, ${publicX}, ${sql.binary(privateBox)}, ${at})`)
}

export async function deleteRetiredKeys(connection: Connection, retiredBefore: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_signing_keys where retired_at <= ${sql.timestamp(retiredBefore)}`)
}

/** Serialises changes of the keys until the transaction ends. */
export async function lockSigningKeys(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:hub-signing-keys', 0))`)
}
