import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { syncFolder } from '../../files/index.ts'
import type { RunAccount } from '../../spawn/index.ts'
import { databaseErrors } from '../errors.ts'
import { ensureEnginePassword, readEnginePassword, scramVerifier, type EnginePasswordFile } from './engine-password.ts'
import { refuseDuringRestore } from './restore-journal.ts'
import { runEngineSetupProgram } from './run-engine-setup-program.ts'

/** The first line of pg_hba.conf shows that the role has a password. Lines that an administrator adds below it are kept. */
const HEADER = '# Phlix: each connection needs the password in the file phlix-password of this folder.'
const ACCESS_RULES = `${HEADER}\nlocal all all scram-sha-256\n`

const CONVERSION_LIMIT_MILLISECONDS = 15_000
const RETRY_PAUSE_MILLISECONDS = 100

/** For a cluster whose file with the password was deleted: until the cluster has a new password, its rules must not require one. */
const CLOSED_RULES = 'local all all reject\n'

const STEP_SETTINGS = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic']

export type PasswordInput = EnginePasswordFile & { postgres: string; account: RunAccount | undefined }

/**
 * Gives the role `phlix` of a stopped cluster its password and makes every connection need it: at a first start, and for a cluster of a
 * release whose socket let in every process of the account. Killed at any point, the next start repeats it; the rules are replaced last.
 * @param further statements for the same single-user session, one a line
 * @throws AppError `engine_failed`
 */
export async function setClusterPassword(input: PasswordInput, further: readonly string[] = []): Promise<void> {
  const { dataDirectory, cluster, postgres, account } = input
  if (readEnginePassword(cluster) === undefined && hasRules(cluster)) writeRules(input, CLOSED_RULES)
  const verifier = scramVerifier(ensureEnginePassword(input))
  await runEngineSetupProgram({
    program: postgres,
    // Without exit_on_error the program ends with 0 after a failed statement; and if the statement were logged, the log would contain the
    // verifier of the password.
    arguments: ['--single', ...STEP_SETTINGS, '-D', cluster, 'template1'],
    account,
    dataDirectory,
    input: [...further, `alter role phlix password '${verifier}'`, ''].join('\n'),
  })
  if (!hasRules(cluster)) writeRules(input, ACCESS_RULES)
}

/**
 * Converts a cluster without a password. Several processes may call it concurrently: the server's own lock lets one of them in at a time,
 * and the others repeat their attempt until the cluster is converted or its server runs.
 * @param isServing whether the server of the cluster runs
 * @throws AppError `engine_failed`
 */
export async function requirePassword(input: PasswordInput, isServing: () => boolean): Promise<void> {
  const deadline = performance.now() + CONVERSION_LIMIT_MILLISECONDS
  while (!hasPassword(input.cluster) && !isServing()) {
    refuseDuringRestore(input.dataDirectory)
    try {
      await setClusterPassword(input)
    } catch (error) {
      if (performance.now() > deadline) throw error
      await pause(RETRY_PAUSE_MILLISECONDS)
    }
  }
}

/**
 * The password for connections to a running server. The server of an older release requires none until its next start.
 * @throws AppError `engine_failed` when the file was deleted
 */
export function connectionPassword(place: EnginePasswordFile): string {
  if (readEnginePassword(place.cluster) !== undefined || !hasRules(place.cluster)) return ensureEnginePassword(place)
  throw databaseErrors.engine_failed({
    message: `The file with the password of the database was deleted from ${place.cluster}.`,
    hint: 'Stop all processes of Phlix; the next start makes a new password.',
  })
}

function hasPassword(cluster: string): boolean {
  return readEnginePassword(cluster) !== undefined && hasRules(cluster)
}

function hasRules(cluster: string): boolean {
  const path = rulesOf(cluster)
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(HEADER)
}

function rulesOf(cluster: string): string {
  return join(cluster, 'pg_hba.conf')
}

function writeRules({ cluster, account }: PasswordInput, rules: string): void {
  const path = rulesOf(cluster)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, rules, { mode: 0o600, flush: true })
    if (account !== undefined) chownSync(draft, account.uid, account.gid)
    renameSync(draft, path)
    syncFolder(cluster)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
