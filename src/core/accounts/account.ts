/** Whether an account may sign in: only an active one may. A pending one waits for an administrator's approval. */
export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** A person who may use the server (document 1, User; decisions 3.4). Never carries the password hash. */
export type Account = {
  /** UUID. */
  id: string
  email: string
  username: string
  displayName: string | null
  avatarUrl: string | null
  isAdmin: boolean
  status: AccountStatus
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
}

/** What a new account is made from, not yet checked: a field may be absent or of any type. */
export type AccountInput = { username?: unknown; email?: unknown; password?: unknown }

/** The same after `checkAccountInput`: normalised to NFC, the password not yet hashed. */
export type CheckedAccountInput = { username: string; email: string; password: string }

/** The broken rules by field name, as sentences without subject. */
export type FieldProblems = Record<string, string>

const USERNAME_LENGTH = { min: 3, max: 50 }
const EMAIL_MAX_LENGTH = 254
const PASSWORD_MIN_CHARACTERS = 8
const PASSWORD_MAX_BYTES = 1024

/** Control, invisible and private characters and line breaks: they let one name look like another, or like a log line. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** WHATWG HTML, "valid e-mail address", opened to letters of every script; `admin@localhost` is valid. */
const EMAIL =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62})*$/u

/**
 * Checks what a new account is made from against the rules of decisions 3.4.
 * @returns the normalised values, or every broken rule
 */
export function checkAccountInput(input: AccountInput): CheckedAccountInput | { problems: FieldProblems } {
  const { username, email, password } = input
  const checked = checkAccountChanges({ username, email, password })
  return 'problems' in checked ? checked : (checked.changes as CheckedAccountInput)
}

/**
 * Checks the fields that an account shall get instead of those that it has. A field that is absent stays as it is; one that is there
 * must be valid.
 * @returns the normalised values of the fields that are there, or every broken rule
 */
export function checkAccountChanges(
  input: AccountInput,
): { changes: Partial<CheckedAccountInput> } | { problems: FieldProblems } {
  const changes: Partial<CheckedAccountInput> = {}
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

/** NFC, so that the same word typed on two systems is the same word; undefined for what is no text at all. */
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
  // People log in with either; a username that is somebody else's address would answer for both.
  if (username.includes('@')) return 'must not contain @'
  return undefined
}

function emailProblem(email: string): string | undefined {
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? undefined : 'must be an e-mail address'
}

/** The rule for passwords alone (8 characters, 1,024 bytes), for a password that is set anew; undefined when it is kept. */
export function passwordProblem(password: string): string | undefined {
  if (Array.from(password).length < PASSWORD_MIN_CHARACTERS) {
    return `must be at least ${PASSWORD_MIN_CHARACTERS} characters long`
  }
  if (!isPasswordSized(password)) return `must be at most ${PASSWORD_MAX_BYTES} bytes long`
  if (!password.isWellFormed()) return 'must be valid text'
  return undefined
}

/** Whether a password is short enough to be hashed at all; what is longer is not looked at. */
export function isPasswordSized(password: string): boolean {
  return Buffer.byteLength(password) <= PASSWORD_MAX_BYTES
}

/** Whether a text can be somebody's username or address; everything else is unknown without a query. */
export function canNameAccount(usernameOrEmail: string): boolean {
  return (
    usernameOrEmail.length > 0 && usernameOrEmail.length <= EMAIL_MAX_LENGTH && !HIDDEN_CHARACTERS.test(usernameOrEmail)
  )
}

/** A name that somebody typed, for a log line: not longer than names are, without what could hide or look like another line. */
export function writableName(name: string): string {
  return name.slice(0, EMAIL_MAX_LENGTH).replaceAll(new RegExp(HIDDEN_CHARACTERS, 'gu'), '\uFFFD')
}
