import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { InterruptedError } from '../../../src/commands/_support/errors.ts'
import { EXIT_CODES, exitCodeOfKind } from '../../../src/commands/_support/exit-codes.ts'
import { convertErrorToFailure } from '../../../src/commands/_support/failure.ts'
import { NOT_FOUND_HINTS } from '../../../src/commands/_support/not-found-hints.ts'
import { backupErrors } from '../../../src/core/backups/index.ts'
import { AppError, type ErrorKind } from '../../../src/core/platform/errors/index.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const context = { isParsed: true, commandLine: 'phlix x' }

const KINDS: readonly [ErrorKind, number][] = [
  ['unauthenticated', 77],
  ['forbidden', 77],
  ['denied', 77],
  ['not_found', 66],
  ['gone', 66],
  ['invalid', 2],
  ['conflict', 1],
  ['limited', 75],
  ['busy', 75],
  ['unavailable', 69],
  ['misconfigured', 78],
  ['io', 74],
  ['failed', 1],
]

void t.test('every kind of error has its exit code, and the code is in the table', (t) => {
  for (const [kind, exit] of KINDS) {
    t.equal(exitCodeOfKind(kind), exit, kind)
    t.ok(EXIT_CODES.some((row) => row.code === exit))
  }
  t.end()
})

void t.test('an error that something does not exist names the command that lists what exists', async (t) => {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as { commands: object }
  for (const [code, hint] of Object.entries(NOT_FOUND_HINTS)) {
    const error = new AppError({ kind: 'not_found', code, title: 'x' })
    t.match(convertErrorToFailure(error, context), { exit: 66, hint })
    const [program, command = ''] = hint.split(' ')
    t.ok(program === 'phlix' && Object.hasOwn(commands, command), hint)
  }
  const other = new AppError({ kind: 'not_found', code: 'library_not_found', title: 'x', hint: 'its own' })
  t.match(convertErrorToFailure(other, context), { hint: 'its own' })
})

void t.test('a damaged backup has the exit code of a failed check', (t) => {
  t.match(convertErrorToFailure(backupErrors.backup_damaged(), context), { code: 'backup_damaged', exit: 4 })
  t.end()
})

void t.test('an error of the product keeps its code, text, hint and details', (t) => {
  const error = new AppError({
    kind: 'busy',
    code: 'library_busy',
    title: 'Library is busy',
    hint: 'wait',
    details: { job_id: 'a' },
    retryAfterSeconds: 5,
  })
  t.strictSame(convertErrorToFailure(error, context), {
    code: 'library_busy',
    message: 'Library is busy',
    exit: 75,
    hint: 'wait',
    details: { job_id: 'a', retry_after_seconds: 5 },
  })
  t.end()
})

void t.test('signals exit with 128 and their number', (t) => {
  t.match(convertErrorToFailure(new InterruptedError('SIGINT'), context), { code: 'interrupted', exit: 130 })
  t.match(convertErrorToFailure(new InterruptedError('SIGTERM'), context), { code: 'terminated', exit: 143 })
  t.end()
})

void t.test(
  'failures before the command line is parsed are usage errors, unless the error has a code of the product',
  (t) => {
    const early = { isParsed: false, commandLine: 'phlix x' }
    t.match(convertErrorToFailure(new Error('anything'), early), { code: 'usage', exit: 2, hint: 'phlix x --help' })
    const misconfigured = new AppError({ kind: 'misconfigured', code: 'invalid_config', title: 'Invalid' })
    t.match(convertErrorToFailure(misconfigured, early), { code: 'invalid_config', exit: 78 })
    t.end()
  },
)

void t.test('thrown values that are not errors still end in one failure', (t) => {
  t.match(convertErrorToFailure('text', context), { code: 'internal', message: 'text', exit: 1 })
  t.end()
})
