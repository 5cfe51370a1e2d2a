import { removeSignInWay } from '../accounts/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { decodeBase64 } from './base64.ts'
import { passkeyErrors } from './errors.ts'
import { CREDENTIAL_ID_BYTES } from './passkey.ts'
import { deletePasskey, deletePasskeysOfAccount } from './queries.ts'

type Dependencies = { db: Connection; log: Logger }

/**
 * Deletes a passkey of an account, including the last one: an administrator can set a password.
 * @param input.credentialId base64 of either alphabet
 * @throws AppError `not_owned` when it does not exist or belongs to another account
 */
export async function removePasskey(
  { db, log }: Dependencies,
  { accountId, credentialId }: { accountId: string; credentialId: string },
): Promise<void> {
  await deleteOrRefuse(db, { accountId, credentialId })
  log.notice({ accountId }, 'a passkey was removed')
}

async function deleteOrRefuse(
  db: Connection,
  { accountId, credentialId }: { accountId: string; credentialId: string },
): Promise<void> {
  const bytes = decodeBase64(credentialId, CREDENTIAL_ID_BYTES)
  const isRemoved = bytes !== undefined && (await deletePasskey(db, { credentialId: bytes, accountId }))
  if (!isRemoved) throw passkeyErrors.not_owned()
}

/**
 * Deletes a passkey of the account of a person who is signed in, unless it is the last way to sign in.
 * @throws AppError as `removePasskey`; `last_sign_in_way`
 */
export async function removeOwnPasskey(
  { db, log, config }: { db: Database; log: Logger; config: Config },
  passkey: { accountId: string; credentialId: string },
): Promise<void> {
  const { accountId } = passkey
  await db.transaction((connection) =>
    removeSignInWay({ config, connection, accountId }, () => deleteOrRefuse(connection, passkey)),
  )
  log.notice({ accountId }, 'a passkey was removed')
}

/**
 * Deletes all passkeys of an account.
 * @returns the number of deleted passkeys
 */
export async function removeAllPasskeys(
  { db, log }: Dependencies,
  { accountId }: { accountId: string },
): Promise<number> {
  const count = await deletePasskeysOfAccount(db, accountId)
  if (count > 0) log.notice({ accountId, count }, 'all passkeys were removed')
  return count
}
