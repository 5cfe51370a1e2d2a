import { defineErrors } from '../../core/platform/errors/index.ts'

export const commandErrors = defineErrors({
  usage: {
    kind: 'invalid',
    title: 'Wrong usage',
    doc: 'Command line only: an invalid flag, argument or value. The message never contains a value that may be a secret.',
  },
  schema_outdated: {
    kind: 'misconfigured',
    title: 'Database schema is older than this program',
    doc: 'Command line only: migrations are pending while a server runs or PHLIX_RUN_MIGRATIONS is off; `phlix migrate` applies them.',
  },
  no_database: {
    kind: 'misconfigured',
    title: 'No database',
    doc: 'Command line only: the data directory has no database. Only `serve`, `migrate` and `bin/quickstart` create it.',
  },
  library_busy: {
    kind: 'busy',
    title: 'The library is being scanned already',
    doc: 'Command line only: a queued or running scan exists, and `--force` was not given.',
  },
  wait_timed_out: {
    kind: 'busy',
    title: 'The wait timed out',
    doc: 'Command line only: `--timeout` passed before the job ended.',
  },
  server_not_running: {
    kind: 'unavailable',
    title: 'No server is running',
    doc: 'Command line only: the command needs a running server, and no server uses this data directory.',
  },
  scan_failed: {
    kind: 'failed',
    title: 'The scan failed',
    doc: 'Command line only: the followed scan job ended as failed; the message is the job’s error.',
  },
  scan_root_unavailable: {
    kind: 'io',
    title: 'A folder of the library is not available',
    doc: 'Command line only: the followed scan job failed because a folder is missing, empty or unreadable; nothing was removed.',
  },
  scan_cancelled: {
    kind: 'failed',
    title: 'The scan was cancelled',
    doc: 'Command line only: the followed scan job was cancelled by another user or command.',
  },
})

/** Thrown when a signal ended the work. Carries the conventional exit code (128 + signal number). */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly exit: number

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'interrupted' : 'terminated')
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}
