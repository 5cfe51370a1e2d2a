import {
  createAccount,
  endSession,
  findNamedAccount,
  startRefreshSession,
  type Account,
  type FindSessionAccount,
} from '../../accounts/index.ts'
import type { HeartbeatMember } from '../../hub-protocol/index.ts'
import { generatePassword, type PasswordHashing } from '../../platform/credentials/index.ts'
import type { Connection, Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import {
  findFirstAdministrator,
  findMember,
  findSessionEnd,
  replaceMembers,
  setMemberAccount,
  setMemberSession,
  type Member,
} from '../queries.ts'
import type { ServerToken } from '../tokens/server-token.ts'

export type MemberServices = {
  db: Database
  clock: Clock
  log: Logger
  events: Pick<EventBus, 'publish'>
  findSessionAccount: FindSessionAccount
  passwordHashing: PasswordHashing
}

/** A person of the hub with an active session at this server. */
export type SignedInMember = { account: Account; sessionId: string }

const MAX_NAME_CHARACTERS = 40

/** Stores whom the hub names, and ends the sessions of those whom it does not name any more. */
export async function storeMembers(needs: MemberServices, members: readonly HeartbeatMember[]): Promise<void> {
  const ended = await needs.db.transaction((connection) => replaceMembers(connection, members, needs.clock.now()))
  for (const session of ended) await endSession(needs, session)
}

/**
 * The account and the session with which a person of the hub acts here. The session is restricted: a hub must not be able to administer a
 * server. The owner acts as the account of the pairing; others get an account of their own at their first use. Undefined for a person whom
 * the hub does not name, whose account is not active, or whose share is limited to some libraries, which this server cannot enforce.
 */
export async function signInMember(
  needs: MemberServices,
  { token, ownerAccountId }: { token: ServerToken; ownerAccountId: string | null },
): Promise<SignedInMember | undefined> {
  const member = await findMember(needs.db, token.hubUserId)
  if (member === undefined || member.libraryIds !== null) return undefined
  const accountId = await knownAccountOf(needs.db, member, ownerAccountId)
  const known = await activeSession(needs, member, accountId)
  if (known !== undefined) return known
  if (await isSignedOut(needs.db, member, token)) return undefined
  if (accountId === undefined && member.isOwner) return undefined
  return startSession(needs, member.hubUserId, accountId ?? (await createMemberAccount(needs, member)))
}

/**
 * The account of a person, if there is one. That of the owner is not stored with the person: who has been the owner, and gets a share later,
 * must not act as the owner's account.
 */
async function knownAccountOf(
  db: Connection,
  { isOwner, accountId }: Member,
  ownerAccountId: string | null,
): Promise<string | undefined> {
  if (!isOwner) return accountId ?? undefined
  return ownerAccountId ?? (await findFirstAdministrator(db))
}

async function activeSession(
  { findSessionAccount }: MemberServices,
  { sessionId }: Member,
  accountId: string | undefined,
): Promise<SignedInMember | undefined> {
  if (accountId === undefined || sessionId === null) return undefined
  const account = await findSessionAccount({ accountId, sessionId })
  return account === undefined ? undefined : { account, sessionId }
}

/** After a sign-out, or the end of the session by an administrator, only a token that was made later opens a new session. */
async function isSignedOut(db: Connection, { sessionId }: Member, token: ServerToken): Promise<boolean> {
  const endedAt = sessionId === null ? undefined : await findSessionEnd(db, sessionId)
  return endedAt !== undefined && endedAt !== null && token.issuedAt * 1000 <= endedAt.getTime()
}

/**
 * The account has a password that nobody knows: its person signs in through the hub. Its e-mail address belongs to the person at the hub,
 * so that concurrent first requests agree on one account.
 */
async function createMemberAccount(needs: MemberServices, { username, hubUserId }: Member): Promise<string> {
  const email = `${hubUserId}@hub.invalid`
  for (const name of possibleNames(username, hubUserId)) {
    const existing = await findNamedAccount(needs, email)
    const id = existing?.id ?? (await createUnlessTaken(needs, { username: name, email }))
    if (id === undefined) continue
    await setMemberAccount(needs.db, { hubUserId, accountId: id })
    return id
  }
  throw new Error(`no account can be made for ${hubUserId}`)
}

/** A name of the hub may be in use here, or not be permitted. */
function possibleNames(username: string, hubUserId: string): string[] {
  const base = Array.from(username).slice(0, MAX_NAME_CHARACTERS).join('')
  return [base, `${base} (hub)`, `${base} (hub 2)`, `hub ${hubUserId}`]
}

/** Undefined for a name or an address that is in use, or not permitted. */
async function createUnlessTaken(
  needs: MemberServices,
  names: { username: string; email: string },
): Promise<string | undefined> {
  try {
    const { id } = await createAccount(needs, { ...names, password: generatePassword(), isAdmin: false })
    needs.log.notice({ accountId: id, email: names.email }, 'made an account for a user of the hub')
    return id
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return undefined
    throw error
  }
}

/** Starts a restricted session. Undefined for an account that is not active. */
async function startSession(
  needs: MemberServices,
  hubUserId: string,
  accountId: string,
): Promise<SignedInMember | undefined> {
  try {
    const started = await startRefreshSession(needs, { accountId, userAgent: 'hub', isRestricted: true })
    const sessionId = started.familyId
    await setMemberSession(needs.db, { hubUserId, sessionId })
    const account = await needs.findSessionAccount({ accountId, sessionId })
    return account === undefined ? undefined : { account, sessionId }
  } catch (error) {
    if (error instanceof AppError && error.code === 'account_disabled') return undefined
    throw error
  }
}
