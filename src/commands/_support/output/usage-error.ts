import { findNearestName } from '../../../core/platform/config/index.ts'

/** Properties of oclif's parse errors besides the message. All are optional because each error class has its own. */
type ParseError = Error & {
  flags?: unknown
  args?: unknown
  parse?: { input?: { flags?: Record<string, unknown> } }
}

export type UsageProblem = { message: string; hint?: string }

/**
 * Describes a usage error without repeating the input: a mistyped flag may contain a password (`--pasword=…`), and so may an extra
 * argument. oclif's own messages repeat both.
 */
export function describeUsageError(error: Error): UsageProblem {
  const problem = error as ParseError
  const input = problem.parse?.input
  if (Array.isArray(problem.flags)) return unknownFlags(problem.flags.map(String), Object.keys(input?.flags ?? {}))
  if (Array.isArray(problem.args)) {
    const missing = problem.args.map((arg: { name: string; description?: string }) =>
      arg.description === undefined ? upper(arg.name) : `${upper(arg.name)} (${arg.description})`,
    )
    return { message: `Missing ${missing.join(', ')}` }
  }
  return { message: withoutValues(error.message) }
}

/** Message for extra arguments; they are not printed. */
export function describeExtraArguments(names: readonly string[]): string {
  return names.length === 0 ? 'Takes no argument' : `Takes only ${names.map(upper).join(' ')}`
}

function unknownFlags(typed: string[], known: string[]): UsageProblem {
  const names = typed.map(flagName)
  const message = `Unknown flag ${names.join(', ')}`
  const near = findNearestName((names[0] ?? '').replace(/^-+/, ''), known)
  return near === undefined ? { message } : { message, hint: `did you mean --${near}?` }
}

/** `--pasword=S3CRET` → `--pasword`; `-pS3CRET` → `-p`; input that does not look like a flag name is not printed. */
function flagName(typed: string): string {
  if (!typed.startsWith('--')) return typed.slice(0, 2)
  const name = typed.split('=', 1)[0] ?? ''
  return /^--[a-z][a-z-]*$/.test(name) ? name : '--…'
}

const REWRITES: readonly [pattern: RegExp, replacement: string][] = [
  [/\s*See more help with --help\s*$/, ''],
  [/^Parsing (--[\w-]+)\s+Expected (.*?) but received:[\s\S]*$/, '$1 must be $2'],
  [/^Parsing (--[\w-]+)\s+/, '$1: '],
  [/^Expected (--[\w-]+)=[\s\S]* to be one of: /, '$1 must be one of: '],
  [/^Expected [\s\S]* to be one of: /, 'The argument must be one of: '],
  [/^The following errors? occurred:\s*/, ''],
  [/(--[\w-]+)=\S+/g, '$1'],
]

function withoutValues(message: string): string {
  let text = message
  for (const [pattern, replacement] of REWRITES) text = text.replace(pattern, replacement)
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')
}

function upper(name: string): string {
  return name.toUpperCase()
}
