import { requireFullSession, type Account } from '../accounts/index.ts'
import { enqueueEvent } from '../outbox/index.ts'
import { violatedUniqueConstraint, type Connection, type Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { verifyAttestation } from './attestation.ts'
import { verifyResponse } from './ceremony-errors.ts'
import { issueChallenge, redeemChallenge } from './challenge.ts'
import { readRegistrationResponse, requireNonEmptyText, type CeremonyBody } from './credential.ts'
import { passkeyErrors } from './errors.ts'
import type { Passkey } from './passkey.ts'
import { insertPasskey, selectPasskeysOfAccount, type NewPasskey } from './queries.ts'
import type { RelyingParty } from './relying-party.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger }

/** Limit of the passkeys of one account, because all of them are part of each response that starts a ceremony. */
const MAX_PASSKEYS = 100

/**
 * Starts a registration for a signed-in account.
 * @returns the challenge and the existing passkeys, which must not be registered again
 */
export async function startPasskeyRegistration(
  services: Omit<Dependencies, 'log'>,
  { account }: { account: Account },
): Promise<{ challenge: Buffer; existing: Passkey[] }> {
  const challenge = await issueChallenge(services, { accountId: account.id, ceremony: 'register' })
  return { challenge, existing: await selectPasskeysOfAccount(services.db, account.id) }
}

type Registration = { account: Account; sessionId: string; relyingParty: RelyingParty; body: CeremonyBody }

/**
 * Finishes a registration. The challenge is consumed in every case. Nothing is registered for a session that has ended in the meantime.
 * @throws AppError `session_ended`, `full_session_required`, `missing_required_fields`, `registration_expired`, `registration_mismatch`, `already_registered`,
 * `too_many`
 */
export async function finishPasskeyRegistration(
  services: Dependencies,
  { account, sessionId, relyingParty, body }: Registration,
): Promise<Passkey> {
  const answer = readRegistrationResponse(body.credential)
  const text = requireNonEmptyText(body.challenge)
  const challenge = await redeemChallenge(services, { text, accountId: account.id, ceremony: 'register' })
  const attested = await verifyResponse('register', () => verifyAttestation(answer, { challenge, relyingParty }))
  const { transports, deviceType } = answer
  const now = services.clock.now()
  const row = { ...attested, accountId: account.id, transports, deviceType, now }
  const passkey = await services.db.transaction(async (connection) => {
    await requireFullSession(connection, { accountId: account.id, sessionId })
    const stored = await store(connection, row)
    const { id: userId, username: userName } = account
    await enqueueEvent(connection, { event: 'passkey.added', userId, userName, deviceType }, now)
    return stored
  })
  services.log.notice({ accountId: account.id }, 'a passkey was registered')
  return passkey
}

async function store(db: Connection, row: NewPasskey): Promise<Passkey> {
  let passkey: Passkey | undefined
  try {
    passkey = await insertPasskey(db, row, MAX_PASSKEYS)
  } catch (error) {
    throw violatedUniqueConstraint(error) === 'passkeys_pkey' ? passkeyErrors.already_registered() : error
  }
  if (passkey === undefined) throw passkeyErrors.too_many()
  return passkey
}
