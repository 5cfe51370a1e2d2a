import type { ErrorKind } from '../../core/platform/errors/index.ts'

export type ExitCodeRow = { code: number; name: string; when: string; reading: string }

/**
 * The table of exit codes, printed by `phlix exit-codes`, the help of every command and docs/commands.md. 64 to 78 are the codes of
 * sysexits.h, which systemd knows by name.
 */
export const EXIT_CODES: readonly ExitCodeRow[] = [
  { code: 0, name: 'ok', when: 'success, also if there was nothing to do', reading: 'success' },
  { code: 1, name: 'failure', when: 'all other errors', reading: 'alert' },
  { code: 2, name: 'usage', when: 'invalid flag, argument or value', reading: 'correct the script' },
  { code: 3, name: 'partial', when: 'finished, but some items failed', reading: 'success with mail' },
  { code: 4, name: 'check', when: 'a check found problems (`migrate --check`)', reading: 'alert' },
  { code: 66, name: 'not-found', when: 'no such library, user or item', reading: 'correct the script' },
  { code: 69, name: 'unavailable', when: 'the database or another service is not reachable', reading: 'retry later' },
  { code: 74, name: 'io', when: 'disk full, unreadable folder, write error', reading: 'alert' },
  { code: 75, name: 'tempfail', when: 'busy, or the wait timed out', reading: 'SuccessExitStatus=TEMPFAIL' },
  { code: 77, name: 'denied', when: 'missing permission', reading: 'correct the rights' },
  {
    code: 78,
    name: 'config',
    when: 'invalid configuration, or the schema is not that of this release',
    reading: 'RestartPreventExitStatus=CONFIG',
  },
  { code: 127, name: 'unknown-command', when: 'no such command', reading: 'correct the script' },
  { code: 130, name: 'interrupted', when: 'SIGINT, after clean-up', reading: 'interrupted' },
  { code: 143, name: 'terminated', when: 'SIGTERM, after clean-up', reading: 'terminated' },
]

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  partial: 3,
  check: 4,
  notFound: 66,
  unavailable: 69,
  io: 74,
  tempfail: 75,
  denied: 77,
  config: 78,
  unknownCommand: 127,
  interrupted: 130,
  terminated: 143,
} as const

const BY_KIND: Readonly<Record<ErrorKind, number>> = {
  unauthenticated: EXIT.denied,
  forbidden: EXIT.denied,
  denied: EXIT.denied,
  not_found: EXIT.notFound,
  gone: EXIT.notFound,
  invalid: EXIT.usage,
  conflict: EXIT.failure,
  limited: EXIT.tempfail,
  busy: EXIT.tempfail,
  unavailable: EXIT.unavailable,
  misconfigured: EXIT.config,
  io: EXIT.io,
  failed: EXIT.failure,
}

/** The exit code for a kind of error. */
export function exitCodeOfKind(kind: ErrorKind): number {
  return BY_KIND[kind]
}

/** Exit codes of every command that opens the database, in addition to its own. */
export const DATABASE_EXITS: readonly number[] = [EXIT.unavailable, EXIT.config]

/** The exit codes of commands that queue a job and follow it. */
export const JOB_EXITS: readonly number[] = [
  EXIT.ok,
  EXIT.failure,
  EXIT.usage,
  EXIT.notFound,
  EXIT.tempfail,
  EXIT.interrupted,
  EXIT.terminated,
  ...DATABASE_EXITS,
]
