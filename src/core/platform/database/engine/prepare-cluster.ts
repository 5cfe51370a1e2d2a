import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInstanceAlive, processInstanceId, type RunAccount } from '../../spawn/index.ts'
import { databaseErrors } from '../errors.ts'
import { requireMajorVersion } from './cluster-version.ts'
import { findBlockingFolder, engineAccount } from './engine-account.ts'
import { enginePaths, type EnginePaths } from './engine-paths.ts'
import { enginePrograms, type EnginePrograms } from './engine-programs.ts'
import type { EngineVersion } from './engine-version.ts'
import { requirePassword, setClusterPassword } from './require-password.ts'
import { refuseDuringRestore } from './restore-journal.ts'
import { runEngineSetupProgram } from './run-engine-setup-program.ts'

export type PreparedEngine = { programs: EnginePrograms; account: RunAccount | undefined }

/**
 * Prepares everything that the server needs to start: folders with the correct owner, accessible programs, and at the first start the
 * cluster (UTF-8, C.UTF-8, checksums, role and database `phlix`). A cluster of an older release gets the password that connections need.
 * @param isServing whether the server of the cluster runs: another process may have started it in the meantime
 * @throws AppError `engine_misplaced`, `engine_version`, `engine_failed`
 */
export async function prepareCluster(
  paths: EnginePaths,
  version: EngineVersion,
  isServing: () => boolean,
): Promise<PreparedEngine> {
  mkdirSync(paths.dataDirectory, { recursive: true, mode: 0o711 })
  refuseDuringRestore(paths.dataDirectory)
  const account = engineAccount(paths.dataDirectory)
  if (account !== undefined) makeTraversable(paths.dataDirectory, account)
  ensureOwnedFolder(paths.sockets, account)
  ensureOwnedFolder(dirname(paths.serverLog), account)
  const programs = version.programs(paths.dataDirectory, account)
  await makeCluster(paths, programs, account)
  requireMajorVersion(paths.cluster, version.major)
  await requirePassword({ ...paths, postgres: programs.postgres, account }, isServing)
  return { programs, account }
}

/** Whether the data directory has a cluster that this account can see. */
export function hasCluster(dataDirectory: string): boolean {
  return existsSync(join(enginePaths(dataDirectory).cluster, 'PG_VERSION'))
}

/** Writes all files of a stopped cluster to the disk: needed after a server without durability has filled it. */
export async function syncCluster(dataDirectory: string): Promise<void> {
  const paths = enginePaths(dataDirectory)
  const account = engineAccount(dataDirectory)
  const { initdb: program } = enginePrograms(dataDirectory, account)
  await runEngineSetupProgram({ program, arguments: ['--sync-only', '-D', paths.cluster], account, dataDirectory })
}

/** Other accounts may traverse the data directory but not list it. Folders above it are never changed. */
function makeTraversable(dataDirectory: string, account: RunAccount): void {
  const { uid, mode } = statSync(dataDirectory)
  if (uid === 0) chmodSync(dataDirectory, (mode & 0o777) | 0o011)
  const blocking = findBlockingFolder(dataDirectory, account)
  if (blocking === undefined) return
  throw databaseErrors.engine_misplaced({
    message: `The embedded PostgreSQL may not run as root, and ${blocking} cannot be accessed by the account that it runs as (uid ${account.uid}).`,
    hint: 'Choose a --data-dir elsewhere (for root /var/lib/phlix), or run as the owner of that folder.',
  })
}

function ensureOwnedFolder(folder: string, account: RunAccount | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = account?.uid ?? process.getuid?.()
  const facts = lstatSync(folder)
  // The socket folder may be in the shared temporary folder, so the ownership of an existing folder is verified.
  if (!facts.isDirectory() || (facts.uid !== owner && facts.uid !== process.getuid?.())) {
    throw databaseErrors.engine_misplaced({ message: `${folder} belongs to another account.` })
  }
  chmodSync(folder, 0o700)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
}

/** The cluster is created under a temporary name and renamed when complete, so that a killed first start leaves no partial cluster. */
async function makeCluster(
  paths: EnginePaths,
  programs: EnginePrograms,
  account: RunAccount | undefined,
): Promise<void> {
  if (existsSync(join(paths.cluster, 'PG_VERSION'))) return
  // The mark names this run, and the random part this start: two starts of one process do not use the same folder.
  const unfinished = `${paths.cluster}.${processInstanceId()}-${randomBytes(4).toString('hex')}`
  removeUnfinished(paths)
  ensureOwnedFolder(unfinished, account)
  try {
    const common = [
      '--username=phlix',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]
    const args = [...common, '--locale=C.UTF-8', '--data-checksums', '--no-instructions', '-D', unfinished]
    const { dataDirectory } = paths
    await runEngineSetupProgram({ program: programs.initdb, arguments: args, account, dataDirectory })
    const { postgres } = programs
    await setClusterPassword({ dataDirectory, cluster: unfinished, postgres, account }, ['create database phlix'])
    refuseDuringRestore(dataDirectory)
    renameSync(unfinished, paths.cluster)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(join(paths.cluster, 'PG_VERSION'))) throw error
  }
}

/** Removes the remains of killed first starts. Those of living processes are kept. */
function removeUnfinished({ dataDirectory, cluster }: EnginePaths): void {
  const prefix = `${basename(cluster)}.`
  for (const name of readdirSync(dataDirectory)) {
    if (!name.startsWith(prefix) || isInstanceAlive(name.slice(prefix.length))) continue
    rmSync(join(dataDirectory, name), { recursive: true, force: true })
  }
}
