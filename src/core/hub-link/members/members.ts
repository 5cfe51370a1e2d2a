import { endSession, recordLogin, startRefreshSession, type SignedInAccount } from '../../accounts/index.ts'
import type { HeartbeatMember } from '../../hub-protocol/index.ts'
import { Semaphore } from '../../platform/concurrency/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import {
  findFirstAdministrator,
  findHubMember,
  findSessionEnd,
  replaceHubMembers,
  setMemberSession,
  type HubMember,
} from '../queries.ts'
import type { ServerToken } from '../tokens/server-token.ts'
import { createHubMemberAccount } from './member-account.ts'
import type { MemberServices } from './member-services.ts'

/** The device name of a session of the hub in the list of devices. */
const HUB_DEVICE = { name: 'Hub', type: 'hub', userAgent: 'hub' }

/** A person of the hub with an active session at this server. */
export type SignedInMember = { account: SignedInAccount; sessionId: string }

/** Stores the members that the hub lists, and ends the sessions of users whom it no longer lists. */
export async function storeMembers(needs: MemberServices, members: readonly HeartbeatMember[]): Promise<void> {
  const ended = await needs.db.transaction((connection) => replaceHubMembers(connection, members, needs.clock.now()))
  for (const session of ended) await endSession(needs, session)
}

/** Finds or begins the session of the member whom a token of the hub names. */
export type SignInMember = (input: TokenOfMember) => Promise<SignedInMember | undefined>

type TokenOfMember = { token: ServerToken; ownerAccountId: string | null }

/**
 * Returns a function that finds the account and the session with which a user of the hub acts here. The session is restricted: a hub must
 * not be able to administer a server. The owner acts as the account of the pairing; others get an account of their own at their first use.
 * Undefined for a user whom the hub does not name, for an account that is not active, and for a share of some libraries only, because this
 * server cannot enforce that.
 */
export function createMemberSignIn(needs: MemberServices): SignInMember {
  // Concurrent first requests of a member agree on one account and one session.
  const turns = new Semaphore({ permits: 1 })

  async function begin(input: TokenOfMember): Promise<SignedInMember | undefined> {
    const known = await findKnownMember(needs, input)
    if (known?.signedIn !== undefined) return known.signedIn
    if (known === undefined || (await isSignedOut(needs.db, known.member, input.token))) return undefined
    const { member, accountId } = known
    if (accountId === undefined && member.isOwner) return undefined
    return startSession(needs, member.hubUserId, accountId ?? (await createHubMemberAccount(needs, member)))
  }

  return async (input) => {
    const known = await findKnownMember(needs, input)
    if (known === undefined || known.signedIn !== undefined) return known?.signedIn
    if (await isSignedOut(needs.db, known.member, input.token)) return undefined
    return turns.run(() => begin(input))
  }
}

type KnownMember = { member: HubMember; accountId: string | undefined; signedIn: SignedInMember | undefined }

/** A hub user who may use the whole server, with the local account and session if they exist. */
async function findKnownMember(
  needs: MemberServices,
  { token, ownerAccountId }: TokenOfMember,
): Promise<KnownMember | undefined> {
  const member = await findHubMember(needs.db, token.hubUserId)
  if (member === undefined || member.libraryIds !== null) return undefined
  const accountId = await knownAccountOf(needs.db, member, ownerAccountId)
  return { member, accountId, signedIn: await activeSession(needs, member, accountId) }
}

/**
 * The account of a member, if there is one. That of the owner is not stored with the member: a former owner who gets a share later must not
 * act as the owner's account.
 */
async function knownAccountOf(
  db: Connection,
  { isOwner, accountId }: HubMember,
  ownerAccountId: string | null,
): Promise<string | undefined> {
  if (!isOwner) return accountId ?? undefined
  return ownerAccountId ?? (await findFirstAdministrator(db))
}

async function activeSession(
  { findSessionAccount }: MemberServices,
  { sessionId }: HubMember,
  accountId: string | undefined,
): Promise<SignedInMember | undefined> {
  if (accountId === undefined || sessionId === null) return undefined
  // The address of the client is known to the hub only.
  const account = await findSessionAccount({ accountId, sessionId, usedFrom: null })
  return account === undefined ? undefined : { account, sessionId }
}

/** After a sign-out, or the end of the session by an administrator, only a token that was made later opens a new session. */
async function isSignedOut(db: Connection, { sessionId }: HubMember, token: ServerToken): Promise<boolean> {
  const endedAt = sessionId === null ? undefined : await findSessionEnd(db, sessionId)
  return endedAt !== undefined && endedAt !== null && token.issuedAt * 1000 <= endedAt.getTime()
}

/** Starts a restricted session. Undefined for an account that is not active. */
async function startSession(
  needs: MemberServices,
  hubUserId: string,
  accountId: string,
): Promise<SignedInMember | undefined> {
  try {
    const started = await startRefreshSession(needs, { accountId, device: HUB_DEVICE, isRestricted: true })
    const sessionId = started.familyId
    await setMemberSession(needs.db, { hubUserId, sessionId })
    const account = await needs.findSessionAccount({ accountId, sessionId })
    if (account === undefined) return undefined
    await recordLogin(needs, account)
    return { account, sessionId }
  } catch (error) {
    if (error instanceof AppError && error.code === 'account_disabled') return undefined
    throw error
  }
}
