import { randomBytes } from 'node:crypto'
import { databaseNameOf, withClient, withDatabaseName } from '../../platform/database/index.ts'
import { AppError, systemErrorCode } from '../../platform/errors/index.ts'
import { lockBackups } from '../create/lock.ts'
import { backupErrors } from '../errors.ts'
import { dropDatabase, hasContent, renameDatabases, selectTables } from '../queries.ts'
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

/** Databases are renamed by a session of another one, which every server has. */
const MAINTENANCE_DATABASE = 'postgres'
const MAX_NAME = 63

/**
 * Fills a new database of an external server and exchanges the names of the two in one transaction. With `intoDatabase` only that empty
 * database is filled.
 * @throws AppError `restore_not_empty`, `restore_in_use`, `restore_no_right`, and errors of `load`
 */
export async function replaceDatabase({ connectionUri, force, intoDatabase, load }: Input): Promise<Replaced> {
  const lock = await lockBackups({ connectionUri })
  try {
    if (intoDatabase !== undefined) {
      const target = withDatabaseName(connectionUri, intoDatabase)
      if (await hasTables(target)) throw notEmpty(intoDatabase)
      return { schemaVersion: await load(target), previousDatabase: null }
    }
    const name = databaseNameOf(connectionUri)
    const isUsed = await withClient(connectionUri, hasContent)
    if (isUsed && !force) throw notEmpty(name)
    const side = await openSideDatabase(connectionUri, 'restore')
    try {
      const schemaVersion = await load(side.connectionUri)
      const previous = `${name.slice(0, MAX_NAME - 20)}_previous_${randomBytes(4).toString('hex')}`
      // The session of the lock would prevent the rename.
      await lock.release()
      const maintenanceUri = withDatabaseName(connectionUri, MAINTENANCE_DATABASE)
      await withRenameErrors(name, () =>
        withClient(maintenanceUri, async (client) => {
          await renameDatabases(client, [
            [name, previous],
            [side.name, name],
          ])
          if (!isUsed) await dropDatabase(client, previous)
        }),
      )
      return { schemaVersion, previousDatabase: isUsed ? previous : null }
    } catch (error) {
      await side.remove()
      throw error
    }
  } finally {
    await lock.release()
  }
}

async function hasTables(connectionUri: string): Promise<boolean> {
  return withClient(connectionUri, async (client) => (await selectTables(client)).length > 0)
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
