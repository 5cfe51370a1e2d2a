import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { accountErrors } from '../errors.ts'
import { generatePassword } from '../password.ts'
import type { SignInLink } from '../queries/sign-in-links.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** A person whom a provider has accepted. */
export type AcceptedPerson = {
  provider: SignInProvider
  subject: string
  /** Proposals for a new account; not validated. */
  username: unknown
  email: unknown
}

const Accepted = z.object({
  subject: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+$/u),
  username: z.unknown().optional(),
  email: z.unknown().optional(),
})

type Question = {
  username: string
  password: string
  /** Of the account with this name; undefined: it has none. */
  link: SignInLink | undefined
  /** Whether an account has this name. */
  isKnown: boolean
}

/**
 * Asks the providers, all at the same time. A provider gets the name and the password only if no account has the name, or the account is
 * linked to this provider. Otherwise it gets a random name and password, and its answer is ignored: the time then says nothing about the
 * name, and it learns no local password.
 * @returns the person of the first provider that accepts; undefined if all refuse
 * @throws AppError `sign_in_provider_unavailable` if none accepts and one gives no usable answer, whoever it was asked about
 */
export async function askProviders(
  { log }: { log: Logger },
  providers: readonly SignInProvider[],
  question: Question,
): Promise<AcceptedPerson | undefined> {
  const answers = await Promise.all(providers.map((provider) => askOne(provider, question)))
  for (const answer of answers) {
    if ('problem' in answer) log.warning({ reason: answer.problem }, 'a sign-in provider gave no usable answer')
  }
  const accepted = answers.find((answer) => 'subject' in answer)
  if (accepted !== undefined) return accepted
  if (answers.some((answer) => 'problem' in answer)) throw accountErrors.sign_in_provider_unavailable()
  return undefined
}

type Answer = AcceptedPerson | { problem: string } | { isRefused: true }

async function askOne(provider: SignInProvider, { username, password, link, isKnown }: Question): Promise<Answer> {
  const isAsked = isKnown ? link?.provider === provider.name : true
  try {
    const real = { username, password }
    const reply = await provider.ask('checkPassword', isAsked ? real : decoy())
    if (!isAsked || reply === null || reply === false) return { isRefused: true }
    const accepted = Accepted.safeParse(reply)
    if (!accepted.success) return { problem: `${provider.name}: the answer has another form` }
    const { subject } = accepted.data
    if (link !== undefined && link.subject !== subject) {
      return { problem: `${provider.name}: it accepts another person than the linked one` }
    }
    return { provider, subject, username: accepted.data.username, email: accepted.data.email }
  } catch (error) {
    return { problem: describeError(error) }
  }
}

/** A name that nobody has and a password that nobody has chosen. */
function decoy(): { username: string; password: string } {
  return { username: randomUUID().slice(0, 8), password: generatePassword() }
}
