import { randomUUID } from 'node:crypto'
import { createAccount, HUB_MEMBER_EMAIL_DOMAIN } from '../../accounts/index.ts'
import { generatePassword } from '../../platform/credentials/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { setMemberAccount, type HubMember } from '../queries.ts'
import type { MemberServices } from './member-services.ts'

const MAX_NAME_CHARACTERS = 40

/**
 * Creates the local account of a hub user. Its random password is not disclosed, because the user signs in through the hub. Its e-mail
 * address is only a placeholder. An existing account with that address belongs to somebody else and is never taken over.
 * @returns the id of the account
 */
export async function createHubMemberAccount(
  needs: MemberServices,
  { username, hubUserId }: Pick<HubMember, 'username' | 'hubUserId'>,
): Promise<string> {
  for (const part of [hubUserId, `${hubUserId}.${randomUUID().slice(0, 8)}`]) {
    const email = `${part}@${HUB_MEMBER_EMAIL_DOMAIN}`
    for (const name of possibleNames(username, hubUserId)) {
      const accountId = await createUnlessTaken(needs, { username: name, email })
      if (accountId === undefined) continue
      await setMemberAccount(needs.db, { hubUserId, accountId })
      return accountId
    }
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
