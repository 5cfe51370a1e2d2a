import { timingSafeEqual } from 'node:crypto'
import {
  endSession,
  linkExternalPerson,
  signInExternalPerson,
  type Account,
  type ExternalSignInServices,
  type LoggedIn,
  type Session,
  readApproval,
} from '../accounts/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import { oidcErrors } from './errors.ts'
import type { OidcProvider } from './oidc-provider.ts'
import { deleteOneTimeCode, insertProviderSession, markOneTimeCodeUsed, type OidcPerson } from './queries.ts'
import { secretDigest, SECRET_PATTERN } from './secrets.ts'

type Dependencies = ExternalSignInServices & { config: Config; events: EventBus; oidc: OidcProvider }

/** A one-time code, and the secret of the client that started the sign-in. */
export type OneTimeCode = { code: string; verifier: string }

/** RFC 7636, 4.1. */
const VERIFIER_FORM = /^[\w.~-]{43,128}$/

/**
 * The account of the person behind a one-time code, after the login was recorded. A new account is made if the configuration allows it; the
 * rights of an administrator and the libraries follow the groups of the person.
 * @param startPlaybackSession starts a session of the account
 * @throws AppError `oidc_code_invalid`, and the errors of `signInExternalPerson`
 */
export async function redeemCodeForSession<Started extends { familyId: string }>(
  needs: Dependencies,
  input: OneTimeCode,
  startSession: (account: LoggedIn) => Promise<Started>,
): Promise<{ account: LoggedIn; started: Started }> {
  const { db } = needs
  const person = await takePerson(needs, input)
  const approval = await readApproval(needs)
  const account = await signInExternalPerson(needs, {
    link: { provider: person.issuer, subject: person.subject },
    username: person.username,
    email: person.email,
    isAdministrator: person.isAdministrator ?? undefined,
    libraries: person.libraries ?? undefined,
    mayCreateAccounts: needs.oidc.options.mayCreateAccounts,
    // Accounts whose libraries come from the provider are limited by it.
    needsApproval: person.libraries === null ? approval.isNeededForOthers : approval.isNeededForInvited,
  })
  const started = await startSession(account)
  const session = { accountId: account.id, sessionId: started.familyId }
  const isKept = await db.transaction(async (connection) => {
    if (!(await deleteOneTimeCode(connection, secretDigest(input.code)))) return false
    await insertProviderSession(connection, { ...person, ...session })
    return true
  })
  if (isKept) return { account, started }
  // The person has signed out at the provider meanwhile.
  await endSession(needs, session)
  throw oidcErrors.oidc_code_invalid()
}

/**
 * Links the account of a session to the person behind a one-time code.
 * @param input.subject the provider's id of the person whom the user has confirmed; absent: whoever has signed in
 * @throws AppError `oidc_code_invalid`, `oidc_other_person`, and the errors of `linkExternalPerson`
 */
export async function redeemCodeForLink(
  needs: Dependencies,
  input: OneTimeCode & { session: Session; subject?: string | undefined },
): Promise<Account> {
  const { issuer: provider, subject } = await takePerson(needs, input)
  if (input.subject !== undefined && input.subject !== subject) throw oidcErrors.oidc_other_person()
  const account = await linkExternalPerson(needs, { session: input.session, link: { provider, subject } })
  await deleteOneTimeCode(needs.db, secretDigest(input.code))
  return account
}

async function takePerson({ db, clock, oidc }: Dependencies, { code, verifier }: OneTimeCode): Promise<OidcPerson> {
  if (!SECRET_PATTERN.test(code) || !VERIFIER_FORM.test(verifier)) throw oidcErrors.oidc_code_invalid()
  const used = await markOneTimeCodeUsed(db, { codeDigest: secretDigest(code), now: clock.now() })
  if (used === undefined) throw oidcErrors.oidc_code_invalid()
  const { challenge, ...person } = used
  const isRight = timingSafeEqual(secretDigest(verifier), Buffer.alloc(32, challenge, 'base64url'))
  const { issuer } = await oidc.metadata()
  if (!isRight || person.issuer !== issuer) throw oidcErrors.oidc_code_invalid()
  return person
}
