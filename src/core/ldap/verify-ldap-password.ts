import { randomUUID } from 'node:crypto'
import type { Client, Entry } from 'ldapts'
import { escapeFilterValue, fillUsernameFilter } from './fill-filter.ts'
import type { LdapOptions } from './ldap-options.ts'
import { openLdapConnection } from './open-ldap-connection.ts'

/** The attribute with which a `posixGroup` lists its members. */
const UID = 'uid'

/** A person whose password the directory has accepted. */
export type LdapPerson = {
  /** Does not change with the name. */
  subject: string
  username: string | null
  email: string | null
  /** Absent: the directory does not decide it. */
  is_administrator?: boolean
}

/**
 * Results of a bind that say that the password is not accepted (RFC 4511, appendix A): also for locked accounts, expired passwords, and names that
 * do not exist.
 */
const REFUSALS: ReadonlySet<unknown> = new Set([19, 32, 48, 49, 50, 53])

/**
 * Checks a password by a search for the person and a bind as the person.
 * @returns undefined: there is no such person, more than one, or the password is wrong
 * @throws Error if the directory does not answer, or refuses the search
 */
export async function verifyLdapPassword(
  options: LdapOptions,
  { username, password }: { username: string; password: string },
): Promise<LdapPerson | undefined> {
  // Directories accept a bind with a name and without a password, as an anonymous one (RFC 4513, 5.1.2).
  if (password === '') return undefined
  const { client, end } = await openLdapConnection(options)
  try {
    await bindSearchAccount(client, options)
    const entry = await findPerson(client, options, username)
    // The same requests for a name that does not exist, so that the response time does not reveal names.
    const someone = entry ?? nobody(options)
    const isAdministrator = await readMembership(client, options, someone)
    const isAccepted = await mayBind(client, someone.dn, password)
    if (entry === undefined || !isAccepted) return undefined
    return {
      ...groupPersonOf(entry, options),
      ...(isAdministrator === undefined ? {} : { is_administrator: isAdministrator }),
    }
  } finally {
    end()
  }
}

/** @throws Error if the directory does not accept the account that searches */
export async function bindSearchAccount(client: Client, { searcher }: LdapOptions): Promise<void> {
  if (searcher !== undefined) await client.bind(searcher.dn, searcher.password)
}

async function findPerson(client: Client, options: LdapOptions, username: string): Promise<Entry | undefined> {
  const { baseDn, userFilter, idAttribute, usernameAttribute, emailAttribute } = options
  try {
    const { searchEntries } = await client.search(baseDn, {
      scope: 'sub',
      filter: fillUsernameFilter(userFilter, username),
      attributes: [...new Set([idAttribute, usernameAttribute, emailAttribute, UID])],
      explicitBufferAttributes: [idAttribute],
      sizeLimit: 2,
    })
    return searchEntries.length === 1 ? searchEntries[0] : undefined
  } catch (error) {
    // More than two persons: the name is not that of one.
    if (codeOf(error) === 4) return undefined
    throw error
  }
}

/** An entry that does not exist. */
function nobody({ baseDn, usernameAttribute }: LdapOptions): Entry {
  const name = randomUUID()
  return { dn: `cn=${name},${baseDn}`, [usernameAttribute]: name }
}

function groupPersonOf(entry: Entry, options: LdapOptions): LdapPerson {
  const id = firstValue(entry[options.idAttribute])
  if (id === undefined) throw new Error(`the person has no attribute ${options.idAttribute}`)
  return {
    subject: typeof id === 'string' ? id : textOrHexadecimal(id),
    username: textOf(entry[options.usernameAttribute]),
    email: textOf(entry[options.emailAttribute]),
  }
}

/** Ids are texts (`entryUUID`), or bytes (`objectGUID`). */
function textOrHexadecimal(bytes: Buffer): string {
  return /^[\x21-\x7e]{1,200}$/.test(bytes.toString('latin1')) ? bytes.toString() : bytes.toString('hex')
}

type Values = Entry[string] | undefined

function firstValue(values: Values): Buffer | string | undefined {
  const first = Array.isArray(values) ? values[0] : values
  return first === undefined || first.length === 0 ? undefined : first
}

function textOf(values: Values): string | null {
  return firstValue(values)?.toString() ?? null
}

/** Asks the group for the person, as `member` or `uniqueMember`, or in a `posixGroup` by `uid` (RFC 2307): not all directories say the groups in the entry of the person. Groups inside of groups do not count. */
async function readMembership(
  client: Client,
  { adminGroup, usernameAttribute }: LdapOptions,
  entry: Entry,
): Promise<boolean | undefined> {
  if (adminGroup === undefined) return undefined
  const [dn, uid] = [entry.dn, textOf(entry[UID]) ?? textOf(entry[usernameAttribute]) ?? ''].map(escapeFilterValue)
  const filter = `(|(member=${dn})(uniqueMember=${dn})(memberUid=${uid}))`
  try {
    const { searchEntries } = await client.search(adminGroup, { scope: 'base', filter, attributes: ['1.1'] })
    return searchEntries.length === 1
  } catch (error) {
    // There is no such group, so nobody is a member.
    if (codeOf(error) === 32) return false
    throw error
  }
}

async function mayBind(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (REFUSALS.has(codeOf(error))) return false
    throw error
  }
}

/** The result code of the directory (RFC 4511, 4.1.9). */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
