import { randomBytes } from 'node:crypto'
import { databaseNameFromUri, withDedicatedConnection, replaceDatabaseName } from '../../platform/database/index.ts'
import { AppError, systemErrorCode } from '../../platform/errors/index.ts'
import { lockBackups } from '../create/lock.ts'
import { backupErrors } from '../errors.ts'
import { dropIdleDatabase, hasRelations, isUnused, renameDatabases } from '../queries.ts'
import { openSideDatabase } from '../scratch/open-scratch.ts'

type Input = {
  connectionUri: string
  force: boolean
  intoDatabase: string | undefined
  /** Fills an empty database. @returns its schema version */
  load: (connectionUri: string) => Promise<number>
}

type Replaced = { schemaVersion: number; previousDatabase: string | null }

/** PostgreSQL, Appendix A. */
const OBJECT_IN_USE = '55006'
const NO_RIGHT = '42501'

/** The database of the session that renames databases: it must be another one, and every server has it. */
const MAINTENANCE_DATABASE = 'postgres'
const MAX_NAME = 63

/**
 * Fills a new database of an external server and exchanges its name with the name of the current database in one transaction. The replaced
 * database is kept unless it is empty. With `intoDatabase` that empty database is filled instead, and no name is changed.
 * @throws AppError `restore_not_empty`, `restore_in_use`, `restore_no_right`, and errors of `load`
 */
export async function replaceDatabase({ connectionUri, force, intoDatabase, load }: Input): Promise<Replaced> {
  const lock = await lockBackups({ connectionUri })
  try {
    if (intoDatabase !== undefined) {
      const target = replaceDatabaseName(connectionUri, intoDatabase)
      if (await withDedicatedConnection(target, hasRelations)) throw notEmpty(intoDatabase)
      return { schemaVersion: await load(target), previousDatabase: null }
    }
    const name = databaseNameFromUri(connectionUri)
    // Even without rows of Phlix it may be the database of another program.
    const mayBeDropped = await withDedicatedConnection(connectionUri, isUnused)
    if (!mayBeDropped && !force) throw notEmpty(name)
    const side = await openSideDatabase(connectionUri, 'restore')
    try {
      const schemaVersion = await load(side.connectionUri)
      const previous = `${name.slice(0, MAX_NAME - 20)}_previous_${randomBytes(4).toString('hex')}`
      // The session of the lock would prevent the rename.
      await lock.release()
      const maintenanceUri = replaceDatabaseName(connectionUri, MAINTENANCE_DATABASE)
      await withRenameErrors(name, () =>
        withDedicatedConnection(maintenanceUri, async (client) => {
          await renameDatabases(client, [
            [name, previous],
            [side.name, name],
          ])
        }),
      )
      const isDropped = mayBeDropped && (await dropUnused(connectionUri, previous))
      return { schemaVersion, previousDatabase: isDropped ? null : previous }
    } catch (error) {
      await side.remove()
      throw error
    }
  } finally {
    await lock.release()
  }
}

/** Drops the replaced database if nothing has appeared in it. After any failure it is kept: the restore itself has succeeded. */
async function dropUnused(connectionUri: string, name: string): Promise<boolean> {
  try {
    if (!(await withDedicatedConnection(replaceDatabaseName(connectionUri, name), isUnused))) return false
    await withDedicatedConnection(replaceDatabaseName(connectionUri, MAINTENANCE_DATABASE), (client) =>
      dropIdleDatabase(client, name),
    )
    return true
  } catch {
    return false
  }
}

function notEmpty(name: string) {
  return backupErrors.restore_not_empty({
    message: `The database ${name} is not empty.`,
    hint: 'Give --force to replace it; it is kept under another name.',
  })
}

async function withRenameErrors(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const code = error instanceof AppError ? undefined : systemErrorCode(error)
    if (code === OBJECT_IN_USE) {
      throw backupErrors.restore_in_use({
        message: `Another program is connected to the database ${name}.`,
        hint: 'Stop all servers and commands of Phlix that use it, and try again.',
        cause: error,
      })
    }
    if (code !== NO_RIGHT) throw error
    throw backupErrors.restore_no_right({ hint: `alter role USER createdb; the role must own ${name}`, cause: error })
  }
}
