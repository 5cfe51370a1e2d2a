import type { Account } from '../accounts/index.ts'
import { uniqueViolation, type Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { verifyAttestation } from './attestation.ts'
import { judge } from './ceremony-errors.ts'
import { issueChallenge, takeChallenge } from './challenge.ts'
import { readRegistrationAnswer, requireText, type CeremonyBody } from './credential.ts'
import { passkeyErrors } from './errors.ts'
import type { Passkey } from './passkey.ts'
import { insertPasskey, listPasskeysOf, type NewPasskey } from './queries.ts'
import type { RelyingParty } from './relying-party.ts'

type Needs = { db: Database; clock: Clock; log: Logger }

/** Passkeys that one account may have: all of them are part of every reply that begins a ceremony. */
const MOST_PASSKEYS = 100

/** Begins a registration for who is signed in. @returns the challenge, and what the account has: it is not registered again */
export async function startRegistration(
  services: Omit<Needs, 'log'>,
  { account }: { account: Account },
): Promise<{ challenge: Buffer; existing: Passkey[] }> {
  const challenge = await issueChallenge(services, { accountId: account.id, ceremony: 'register' })
  return { challenge, existing: await listPasskeysOf(services.db, account.id) }
}

/**
 * Finishes a registration. The challenge is used up whatever comes of it.
 * @throws AppError `missing_required_fields`, `registration_expired`, `registration_mismatch`, `already_registered`, `too_many`
 */
export async function finishRegistration(
  services: Needs,
  { account, relyingParty, body }: { account: Account; relyingParty: RelyingParty; body: CeremonyBody },
): Promise<Passkey> {
  const answer = readRegistrationAnswer(body.credential)
  const text = requireText(body.challenge)
  const challenge = await takeChallenge(services, { text, accountId: account.id, ceremony: 'register' })
  const attested = await judge('register', () => verifyAttestation(answer, { challenge, relyingParty }))
  const { transports, deviceType } = answer
  const now = services.clock.now()
  const passkey = await store(services.db, { ...attested, accountId: account.id, transports, deviceType, now })
  services.log.notice({ accountId: account.id }, 'a passkey was registered')
  return passkey
}

async function store(db: Database, row: NewPasskey): Promise<Passkey> {
  let passkey: Passkey | undefined
  try {
    passkey = await insertPasskey(db, row, MOST_PASSKEYS)
  } catch (error) {
    throw uniqueViolation(error) === 'passkeys_pkey' ? passkeyErrors.already_registered() : error
  }
  if (passkey === undefined) throw passkeyErrors.too_many()
  return passkey
}
