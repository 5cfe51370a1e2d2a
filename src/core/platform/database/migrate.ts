import type { Client } from 'pg'
import { sql, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { toDatabaseError } from './database-errors.ts'
import { databaseErrors } from './errors.ts'
import { readMigrationFiles, type MigrationFile } from './migration-files.ts'
import { withDedicatedConnection } from './with-dedicated-connection.ts'

export type MigrationReport = {
  /** Number of the newest applied migration; 0 for an empty database. */
  schemaVersion: number
  /** File names applied by this call. */
  applied: string[]
  /** File names that are not applied yet. */
  pending: string[]
}

export type MigrateInput = {
  connectionUri: string
  log: Logger
  /** Another folder of SQL files. */
  directory?: string | undefined
  /** The last migration to apply. Default: all. A backup is loaded into the schema that it was made of. */
  throughVersion?: number
}

const FoundRow = z.strictObject({ found: z.boolean() })
const LedgerRow = z.strictObject({ version: z.number(), name: z.string(), checksum: z.string() })
type AppliedMigration = z.infer<typeof LedgerRow>

const LOCK_KEY = 'phlix:migrate'
const LOCK_TIMEOUT = '30s'

const CREATE_LEDGER = `create table if not exists schema_migrations (
  version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`

/**
 * Applies the pending migrations: one transaction per file, one migrating process at a time (others wait and then find nothing to do).
 * @throws AppError `schema_too_new`, `migration_edited`, `migration_failed`, `database_unavailable`
 */
export async function migrate(input: MigrateInput): Promise<MigrationReport> {
  const files = readMigrationFiles(input.directory)
  return withDedicatedConnection(input.connectionUri, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK_KEY])
    const through = input.throughVersion ?? files.length
    const pending = pendingFiles(files, await readLedger(client)).filter(({ version }) => version <= through)
    // Created only when needed: an account without the right to create tables can use a current database.
    if (pending.length > 0) await withMigrationErrors('schema_migrations', () => client.query(CREATE_LEDGER))
    for (const file of pending) {
      await applyFile(client, file)
      input.log.notice({ migration: file.name }, 'applied a migration')
    }
    return { schemaVersion: Math.min(through, files.length), applied: pending.map((file) => file.name), pending: [] }
  })
}

/**
 * The names of the files that are not applied yet. Reads over an open pool: a command then needs no further connection for it.
 * @param directory another folder of SQL files, for tests
 * @throws AppError `schema_too_new`, `migration_edited`, `database_unavailable`
 */
export async function pendingMigrations(db: CommonQueryMethods, directory?: string): Promise<string[]> {
  const files = readMigrationFiles(directory)
  const hasLedger = await db.oneFirst(sql.type(FoundRow)`select to_regclass('schema_migrations') is not null as found`)
  const ledger = hasLedger
    ? await db.any(sql.type(LedgerRow)`select version, name, checksum from schema_migrations order by version`)
    : []
  return pendingFiles(files, ledger).map((file) => file.name)
}

/** The schema that this release migrates to. */
export function latestSchemaVersion(directory?: string): number {
  return readMigrationFiles(directory).length
}

/** Reports what `migrate` would do, over a separate connection; changes nothing. */
export async function checkMigrations(input: MigrateInput): Promise<MigrationReport> {
  const files = readMigrationFiles(input.directory)
  return withDedicatedConnection(input.connectionUri, async (client) => {
    const ledger = await readLedger(client)
    const pending = pendingFiles(files, ledger)
    return { schemaVersion: ledger.length, applied: [], pending: pending.map((file) => file.name) }
  })
}

async function readLedger(client: Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ ledger: string | null }>(
    `select to_regclass('schema_migrations')::text as ledger`,
  )
  if (found[0]?.ledger == null) return []
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, checksum from schema_migrations order by version',
  )
  return rows
}

/** The files after the last applied one. The applied migrations must be the unchanged beginning of the list. */
function pendingFiles(files: readonly MigrationFile[], ledger: readonly AppliedMigration[]): MigrationFile[] {
  const newest = ledger.at(-1)
  if (newest !== undefined && newest.version > files.length) {
    throw databaseErrors.schema_too_new({
      message: `The database is at schema ${newest.version} (${newest.name}); this release knows ${files.length}.`,
      hint: 'Start the release that migrated it, or a newer one.',
    })
  }
  for (const [index, applied] of ledger.entries()) {
    const file = files[index]
    if (file?.version === applied.version && file.checksum === applied.checksum) continue
    throw databaseErrors.migration_edited({ message: `${applied.name} is not the file that was applied.` })
  }
  return files.slice(ledger.length)
}

async function applyFile(client: Client, file: MigrationFile): Promise<void> {
  await withMigrationErrors(file.name, async () => {
    try {
      await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
      if (file.isTransactional) await client.query('begin')
      await client.query(file.text)
      await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
        file.version,
        file.name,
        file.checksum,
      ])
      if (file.isTransactional) await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

/** @throws AppError `migration_failed` with the name of the file, `database_unavailable` */
async function withMigrationErrors(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const known = toDatabaseError(error)
    if (known !== error) throw known
    throw databaseErrors.migration_failed({ message: `${name}: ${describeError(error)}`, cause: error })
  }
}
