import { findNamedAccount, recordLogin, type Account } from '../accounts/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { verifyAssertion } from './assertion.ts'
import { decodeBase64 } from './base64.ts'
import { verifyResponse } from './ceremony-errors.ts'
import { issueChallenge, redeemChallenge } from './challenge.ts'
import { readLoginResponse, requireNonEmptyText, type CeremonyBody } from './credential.ts'
import { passkeyErrors } from './errors.ts'
import { CREDENTIAL_ID_BYTES, type Passkey, type PasskeyKey } from './passkey.ts'
import { findPasskeyKey, selectPasskeysOfAccount, updateSignatureCounter } from './queries.ts'
import type { RelyingParty } from './relying-party.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger }

/**
 * Starts a login. An unknown name is reported as such, which the API requires; a disabled account counts as unknown.
 * @throws AppError `missing_required_fields`, `user_not_found`, `none_registered`
 */
export async function startPasskeyLogin(
  services: Omit<Dependencies, 'log'>,
  body: CeremonyBody,
): Promise<{ challenge: Buffer; passkeys: Passkey[] }> {
  const account = await findNamedAccount(services, requireNonEmptyText(body.username))
  if (account?.status !== 'active') throw passkeyErrors.user_not_found()
  const passkeys = await selectPasskeysOfAccount(services.db, account.id)
  if (passkeys.length === 0) throw passkeyErrors.none_registered()
  return { challenge: await issueChallenge(services, { accountId: account.id, ceremony: 'login' }), passkeys }
}

/**
 * Finishes a login: checks challenge, credential, signature, counter and account, in this order. The challenge is consumed in every case.
 * @throws AppError `missing_required_fields`, `login_expired`, `not_recognised`, `login_mismatch`, `replayed`, `account_disabled`
 */
export async function finishPasskeyLogin(
  services: Dependencies,
  { relyingParty, body }: { relyingParty: RelyingParty; body: CeremonyBody },
): Promise<Account> {
  const answer = readLoginResponse(body.credential)
  const [username, text] = [requireNonEmptyText(body.username), requireNonEmptyText(body.challenge)]
  const account = await findNamedAccount(services, username)
  const challenge = await redeemChallenge(services, { text, accountId: account?.id, ceremony: 'login' })
  const key = account === undefined ? undefined : await findKey(services.db, account, answer.id)
  if (account === undefined || key === undefined) throw passkeyErrors.not_recognised()
  const counter = await verifyResponse('login', () => verifyAssertion(answer, { challenge, relyingParty, key }))
  const { credentialId } = key
  if (!(await updateSignatureCounter(services.db, { credentialId, counter, now: services.clock.now() }))) {
    services.log.warning({ accountId: account.id }, 'a passkey sent a signature counter that did not increase')
    throw passkeyErrors.replayed()
  }
  return recordLogin(services, account)
}

async function findKey(db: Database, account: Account, id: string): Promise<PasskeyKey | undefined> {
  const credentialId = decodeBase64(id, CREDENTIAL_ID_BYTES)
  return credentialId === undefined ? undefined : findPasskeyKey(db, { credentialId, accountId: account.id })
}
