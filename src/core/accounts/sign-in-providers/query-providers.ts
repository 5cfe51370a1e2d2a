import { z } from 'zod'
import { generatePassword } from '../../platform/credentials/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { accountErrors } from '../errors.ts'
import type { SignInLink } from '../queries/sign-in-links.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** A person whom a provider has accepted. */
export type AcceptedPerson = {
  provider: SignInProvider
  subject: string
  /** Proposals for a new account; not validated. */
  username: unknown
  email: unknown
  /** Undefined: the provider does not decide it. */
  isAdministrator: boolean | undefined
}

const Accepted = z.object({
  subject: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+$/u),
  username: z.unknown().optional(),
  email: z.unknown().optional(),
  is_administrator: z.unknown().optional(),
})

type SignInAttempt = {
  username: string
  password: string
  /** The link of the account with this name; undefined if the account has none. */
  link: SignInLink | undefined
  /** Whether an account has this name. */
  isKnown: boolean
  /** Sent instead of the name of an account that is not linked to a provider. */
  decoyName: string
}

/**
 * Queries all providers at the same time. A provider receives the name and the password only if no account has the name, or the account is
 * linked to this provider: it sees mistyped names, and wrong local passwords of linked accounts. Otherwise it receives a substitute name
 * and a random password, and only the form of its result is checked, so that each name causes a request and the same errors.
 * @returns the persons whom the providers accept, by provider; empty if all refuse
 * @throws AppError `sign_in_provider_unavailable` if none accepts and one returns no valid result, for any name
 */
export async function queryProviders(
  { log }: { log: Logger },
  providers: readonly SignInProvider[],
  attempt: SignInAttempt,
): Promise<readonly AcceptedPerson[]> {
  const answers = await Promise.all(providers.map((provider) => askOne(provider, attempt)))
  for (const answer of answers) {
    if ('problem' in answer) log.warning({ reason: answer.problem }, 'a sign-in provider gave no usable answer')
  }
  const accepted = answers.filter((answer) => 'subject' in answer)
  const isIncomplete = answers.some((answer) => 'problem' in answer)
  if (accepted.length === 0 && isIncomplete) throw accountErrors.sign_in_provider_unavailable()
  return accepted
}

type Answer = AcceptedPerson | { problem: string } | { isRefused: true }

async function askOne(
  provider: SignInProvider,
  { username, password, link, isKnown, decoyName }: SignInAttempt,
): Promise<Answer> {
  const isAsked = isKnown ? link?.provider === provider.name : true
  try {
    const attempt = isAsked ? { username, password } : { username: decoyName, password: generatePassword() }
    const reply = await provider.ask('checkPassword', attempt)
    if (reply === null || reply === false) return { isRefused: true }
    const accepted = Accepted.safeParse(reply)
    if (!accepted.success) return { problem: `${provider.name}: the answer does not have the documented format` }
    // After the check of the form, so that a wrong form has the same error for each name.
    if (!isAsked) return { isRefused: true }
    const { subject } = accepted.data
    // The provider has another person with the name of the account.
    if (link !== undefined && link.subject !== subject) return { isRefused: true }
    const { username: proposed, email, is_administrator: claimed } = accepted.data
    const isAdministrator = provider.decidesRights ? claimed === true : undefined
    return { provider, subject, username: proposed, email, isAdministrator }
  } catch (error) {
    return { problem: describeError(error) }
  }
}
