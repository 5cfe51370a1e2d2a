import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/config/index.ts'
import {
  databaseNameFromUri,
  isEngineRunning,
  joinEngine,
  syncCluster,
  withDedicatedConnection,
  replaceDatabaseName,
} from '../../platform/database/index.ts'
import { AppError, systemErrorCode } from '../../platform/errors/index.ts'
import { createOwnedFolder } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { isInstanceAlive, processInstanceId } from '../../platform/spawn/index.ts'
import { backupErrors } from '../errors.ts'
import { readJournal } from '../journal/journal.ts'
import { createDatabaseStatement, dropDatabase, selectUnusedDatabases } from '../queries.ts'

/** Prefix of the name of a side folder; the mark of the process that works in it follows. */
const SIDE_PREFIX = 'restore-'
const STOP_LIMIT_MILLISECONDS = 60_000
/** A command that is just ending releases the engine within a second. */
export const IDLE_LIMIT_MILLISECONDS = 10_000
const POLL_MILLISECONDS = 20

/** A second cluster in the data directory, with its own server. */
export type SideCluster = {
  /** The folder is structured like a data directory. */
  folder: string
  connectionUri: string
  /** Stops the server, waits for its end, and writes all files to the disk, so that they can be moved. */
  finish(): Promise<void>
  /** Stops the server and removes the folder. */
  remove(): Promise<void>
}

/** Creates an empty cluster in a folder of the data directory. The cluster of the data directory is not used and need not exist. */
export async function openSideCluster({ config, log }: { config: Config; log: Logger }): Promise<SideCluster> {
  const folder = await makeSideFolder(config.dataDirectory)
  try {
    const lease = await joinEngine({ dataDirectory: folder, log, isDurable: false })
    const stop = async (): Promise<void> => {
      await lease.leave()
      await untilEngineEnds(folder)
    }
    const finish = async (): Promise<void> => {
      await stop()
      await syncCluster(folder)
    }
    const remove = async (): Promise<void> => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
    return { folder, connectionUri: lease.connectionUri, finish, remove }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Creates an empty folder of the data directory, after those of killed processes were removed. */
export async function makeSideFolder(dataDirectory: string): Promise<string> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 })
  await removeAbandonedSides(dataDirectory)
  const folder = join(dataDirectory, `${SIDE_PREFIX}${processInstanceId()}-${randomBytes(3).toString('hex')}`)
  // Under root the engine runs as the owner of its data directory.
  createOwnedFolder(dataDirectory, folder, 0o711)
  return folder
}

/** Waits until no server uses the data directory. @throws AppError `restore_in_use` after a minute */
export async function untilEngineEnds(
  dataDirectory: string,
  limitMilliseconds = STOP_LIMIT_MILLISECONDS,
): Promise<void> {
  for (const deadline = performance.now() + limitMilliseconds; isEngineRunning(dataDirectory);) {
    if (performance.now() > deadline) {
      throw backupErrors.restore_in_use({
        message: `A command or a server uses the database in ${dataDirectory}.`,
        hint: 'Stop it (for example `systemctl stop phlix`) and try again.',
      })
    }
    await pause(POLL_MILLISECONDS)
  }
}

/** Removes the side folders of processes that were killed, except the folder whose renames must be finished. */
export async function removeAbandonedSides(dataDirectory: string): Promise<void> {
  const needed = readJournal(dataDirectory)?.side
  for (const name of await readdir(dataDirectory)) {
    if (name === needed || !name.startsWith(SIDE_PREFIX) || isInstanceAlive(name.slice(SIDE_PREFIX.length))) continue
    const folder = join(dataDirectory, name)
    // A name without a mark belongs to another program.
    if (!/^\d+-\d+-/.test(name.slice(SIDE_PREFIX.length))) continue
    await untilEngineEnds(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

/** A new database on the external server of the configuration, in addition to the configured one. */
export type SideDatabase = { name: string; connectionUri: string; remove(): Promise<void> }

/** PostgreSQL, Appendix A: insufficient_privilege. */
const NO_RIGHT = '42501'

/**
 * Creates an empty database on the server. Those of killed processes are removed first.
 * @throws AppError `restore_no_right` if the role may not create databases
 */
export async function openSideDatabase(connectionUri: string, purpose: 'verify' | 'restore'): Promise<SideDatabase> {
  const own = createHash('sha256').update(databaseNameFromUri(connectionUri)).digest('hex').slice(0, 8)
  const prefix = `phlix_${purpose}_${own}_`
  const name = `${prefix}${randomBytes(4).toString('hex')}`
  await withDedicatedConnection(connectionUri, async (client) => {
    for (const abandoned of await selectUnusedDatabases(client, prefix)) await dropDatabase(client, abandoned)
    try {
      await client.query(createDatabaseStatement(name))
    } catch (error) {
      if (error instanceof AppError || systemErrorCode(error) !== NO_RIGHT) throw error
      throw backupErrors.restore_no_right({
        hint: `As an administrator of the server: create database NAME owner ${databaseOwner(connectionUri)}; then --into-database NAME`,
        cause: error,
      })
    }
  })
  return {
    name,
    connectionUri: replaceDatabaseName(connectionUri, name),
    remove: () => withDedicatedConnection(connectionUri, (client) => dropDatabase(client, name)),
  }
}

function databaseOwner(connectionUri: string): string {
  return decodeURIComponent(new URL(connectionUri.replace(/@[^/]*\//, '@host/')).username)
}
