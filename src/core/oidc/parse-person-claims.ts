import { z } from 'zod'
import type { OidcOptions } from './oidc-options.ts'
import type { OidcPerson } from './queries.ts'

/** Claims of an ID token and of the endpoint for claims about the person (OpenID Connect Core, 5.1). */
export type OidcClaims = Readonly<Record<string, unknown>>

/** Longer ID tokens are not kept: the address for signing out would be too long. */
const ID_TOKEN_LENGTH = 6000

const Text = z.string().min(1).max(500)

/** The facts about a person that count for the server. `sub` is checked by the library. */
export function parsePersonClaims(
  claims: OidcClaims,
  { options, issuer, idToken }: { options: OidcOptions; issuer: string; idToken: string | undefined },
): OidcPerson {
  const { email_verified: isVerified = true } = claims
  // Some providers send the text "false".
  const email = textOf(isVerified === true ? claims['email'] : undefined)
  const groups = parseGroupClaim(claims, options.groupsClaim)
  return {
    issuer,
    subject: String(claims['sub']),
    providerSession: textOf(claims['sid']),
    idToken: idToken !== undefined && idToken.length <= ID_TOKEN_LENGTH ? idToken : null,
    username: usernameOf(claims, email),
    email,
    isAdministrator: options.adminGroup === undefined ? null : groups.includes(options.adminGroup),
    libraries: options.libraryGroups === undefined ? null : librariesOf(options.libraryGroups, groups),
  }
}

/** The libraries of all groups of a person, by name or id; empty without such a group. */
function librariesOf(mapping: ReadonlyMap<string, readonly string[]>, groups: readonly string[]): string[] {
  return [...new Set(groups.flatMap((group) => mapping.get(group) ?? []))]
}

/** A name for a new account; @ cannot be in names of accounts. */
function usernameOf(claims: OidcClaims, email: string | null): string | null {
  const name = textOf(claims['preferred_username']) ?? email ?? textOf(claims['name'])
  return name?.replace(/@.*$/s, '') ?? null
}

function textOf(value: unknown): string | null {
  return Text.safeParse(value).data ?? null
}

/**
 * The groups of a claim: a list of texts, or one text. A name with dots is also the path of a claim, as in `realm_access.roles`. A missing claim
 * is no group.
 */
export function parseGroupClaim(claims: OidcClaims, name: string): readonly string[] {
  const value = claims[name] ?? name.split('.').reduce<unknown>(memberOf, claims)
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((group) => typeof group === 'string')
}

function memberOf(value: unknown, key: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return isOwn ? (value as Record<string, unknown>)[key] : undefined
}
