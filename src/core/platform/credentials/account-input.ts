/** The input for a new account, not validated: a field may be absent or of any type. */
export type AccountInput = { username?: unknown; email?: unknown; password?: unknown }

/** The result of `checkAccountInput`: normalised to NFC, the password not hashed yet. */
export type CheckedAccount = { username: string; email: string; password: string }

/** The broken rules by field name, as sentences without a subject. */
export type FieldProblems = Record<string, string>

const USERNAME_LENGTH = { min: 3, max: 50 }
const EMAIL_MAX_LENGTH = 254
const PASSWORD_MIN_CHARACTERS = 8
const PASSWORD_MAX_BYTES = 1024

/** Control, invisible and private characters and line breaks: with them a name could imitate another name or a log line. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** "Valid e-mail address" of WHATWG HTML, extended to letters of every script; `admin@localhost` is valid. */
const EMAIL =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62})*$/u

/**
 * Validates the input for a new account.
 * @returns the normalised values, or every broken rule
 */
export function checkAccountInput(input: AccountInput): CheckedAccount | { problems: FieldProblems } {
  const { username, email, password } = input
  const checked = checkAccountChanges({ username, email, password })
  return 'problems' in checked ? checked : (checked.changes as CheckedAccount)
}

/**
 * Validates changes of an account. An absent field is unchanged; a present one must be valid.
 * @returns the normalised values of the present fields, or every broken rule
 */
export function checkAccountChanges(
  input: AccountInput,
): { changes: Partial<CheckedAccount> } | { problems: FieldProblems } {
  const changes: Partial<CheckedAccount> = {}
  const problems: FieldProblems = {}
  for (const field of FIELDS) {
    if (!Object.hasOwn(input, field)) continue
    const value = normalise(input[field])
    const problem = value === undefined ? MISSING : PROBLEM_OF[field](value)
    if (problem !== undefined) problems[field] = problem
    else if (value !== undefined) changes[field] = value
  }
  return Object.keys(problems).length > 0 ? { problems } : { changes }
}

const MISSING = 'is required'

const FIELDS = ['username', 'email', 'password'] as const

const PROBLEM_OF: Readonly<Record<(typeof FIELDS)[number], (value: string) => string | undefined>> = {
  username: usernameProblem,
  email: emailProblem,
  password: passwordProblem,
}

/** NFC, so that the same text typed on two systems compares equal. Undefined for values that are not text. */
function normalise(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.normalize('NFC') : undefined
}

function usernameProblem(username: string): string | undefined {
  const length = Array.from(username).length
  if (length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max) {
    return `must be ${USERNAME_LENGTH.min} to ${USERNAME_LENGTH.max} characters long`
  }
  if (HIDDEN_CHARACTERS.test(username)) return 'must not contain invisible characters'
  if (username.trim() !== username) return 'must not start or end with a space'
  // Login accepts usernames and e-mail addresses, so a username that is another account's address would be ambiguous.
  if (username.includes('@')) return 'must not contain @'
  return undefined
}

function emailProblem(email: string): string | undefined {
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? undefined : 'must be an e-mail address'
}

/** The reason why a new password is not accepted (fewer than 8 characters, more than 1,024 bytes); undefined for a valid password. */
export function passwordProblem(password: string): string | undefined {
  if (Array.from(password).length < PASSWORD_MIN_CHARACTERS) {
    return `must be at least ${PASSWORD_MIN_CHARACTERS} characters long`
  }
  if (!isPasswordSized(password)) return `must be at most ${PASSWORD_MAX_BYTES} bytes long`
  if (!password.isWellFormed()) return 'must be valid text'
  return undefined
}

/** Whether a password is short enough to be hashed; longer ones are rejected without hashing. */
export function isPasswordSized(password: string): boolean {
  return Buffer.byteLength(password) <= PASSWORD_MAX_BYTES
}

/** Whether a text can be a username or address; all others are unknown without a query. */
export function isPossibleAccountName(usernameOrEmail: string): boolean {
  return (
    usernameOrEmail.length > 0 && usernameOrEmail.length <= EMAIL_MAX_LENGTH && !HIDDEN_CHARACTERS.test(usernameOrEmail)
  )
}

/** A typed name for a log line: truncated to the length of names, without characters that could hide or imitate a log line. */
export function sanitizeNameForLog(name: string): string {
  return name.slice(0, EMAIL_MAX_LENGTH).replaceAll(new RegExp(HIDDEN_CHARACTERS, 'gu'), '\uFFFD')
}
