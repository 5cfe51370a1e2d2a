import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { latestSchemaVersion, migrate, withDedicatedConnection } from '../../platform/database/index.ts'
import { describeError, systemErrorCode } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { damagedBackupError } from '../archive/damaged-backup-error.ts'
import { SEGMENT_BYTES, segmentPart, type ArchiveTable } from '../archive/format.ts'
import type { Archive } from '../archive/read-archive.ts'
import { backupErrors } from '../errors.ts'
import { copyIn, finishLoad, prepareForLoad, selectDependents, selectTables, SESSION_SETTINGS } from '../queries.ts'

export type LoadInput = {
  archive: Archive
  /** An empty database. */
  connectionUri: string
  log: Logger
  /** Another folder of migrations than that of the server: the database of a hub has its own. */
  directory?: string | undefined
  signal?: AbortSignal | undefined
  /** Called with the name of each table that has been loaded. */
  onTable?: ((name: string) => void) | undefined
}

/** A segment ends after the chunk that exceeds its size. A chunk is at most what the socket buffers. */
const SEGMENT_LIMIT_BYTES = 4 * SEGMENT_BYTES

const decompress = promisify(zstdDecompress)

/** @throws AppError `backup_too_new` if the schema of the archive is not known to this release */
export function requireKnownSchema({ header }: Pick<Archive, 'header'>, directory?: string): void {
  const known = latestSchemaVersion(directory)
  if (header.schema_version <= known) return
  throw backupErrors.backup_too_new({
    message: `The backup has schema ${header.schema_version} of Phlix ${header.phlix_version}; this release knows ${known}.`,
    hint: 'Restore it with the release that made it, or a newer one.',
  })
}

/**
 * Loads an archive into an empty database, at the schema of the archive. All rows are loaded in one transaction.
 * @throws AppError `backup_damaged` if the archive does not match its schema, `backup_too_new`, `database_unavailable`
 */
export async function loadArchive(input: LoadInput): Promise<void> {
  const { archive, connectionUri, log, directory, signal, onTable } = input
  requireKnownSchema(archive, directory)
  const throughVersion = archive.header.schema_version
  await migrate({ connectionUri, log: createWarningLogger(log), directory, throughVersion })
  await withDedicatedConnection(connectionUri, async (client) => {
    await client.query(SESSION_SETTINGS)
    await client.query('begin')
    const tables = await selectTables(client)
    const stored = knownTables(archive.manifest.tables, tables)
    const others = archive.manifest.tables.filter((table) => !stored.includes(table)).map(({ name }) => name)
    if (others.length > 0)
      log.warning({ tables: others }, 'the backup contains tables that do not belong to Phlix; they are not restored')
    const dependents = await selectDependents(client)
    await prepareForLoad(client, { tables, dependents })
    for (const table of stored) {
      await withRowErrors(table.name, () => loadTable(client, { archive, table, signal }))
      onTable?.(table.name)
    }
    await withRowErrors('a key', () => finishLoad(client, { tables, dependents }))
    await client.query('commit')
    await client.query('analyze')
  })
}

type TableLoad = { archive: Archive; table: ArchiveTable; signal: AbortSignal | undefined }

async function loadTable(client: Client, { archive, table, signal }: TableLoad): Promise<void> {
  const rows = client.query(copyFrom(copyIn(table)))
  await pipeline(segmentsOf(archive, table), rows, signal === undefined ? {} : { signal })
}

/** The text of a table in segments. */
async function* segmentsOf(archive: Archive, { name, segments }: ArchiveTable): AsyncGenerator<Buffer> {
  for (let number = 1; number <= segments; number += 1) {
    const path = segmentPart(name, number)
    // zstd adds a few bytes to content that it cannot compress.
    const stored = await archive.read(path, SEGMENT_LIMIT_BYTES)
    try {
      yield await decompress(stored, { maxOutputLength: SEGMENT_LIMIT_BYTES })
    } catch (error) {
      throw damagedBackupError(`${path} cannot be decompressed`, error)
    }
  }
}

type Columns = { name: string; columns: readonly string[] }

/**
 * The tables of an archive that belong to its schema; others, which an administrator may have added, are left out. Names from the archive
 * are used in statements, so they must be known names.
 * @throws AppError `backup_damaged` if one is missing or has other columns
 */
function knownTables(stored: readonly ArchiveTable[], known: readonly Columns[]): ArchiveTable[] {
  const keyOf = ({ name, columns }: Columns): string => JSON.stringify([name, ...columns.toSorted()])
  const keys = new Set(known.map(keyOf))
  const matching = stored.filter((table) => keys.has(keyOf(table)))
  if (new Set(matching.map(({ name }) => name)).size !== known.length || matching.length !== known.length)
    throw damagedBackupError('its tables are not those of its schema')
  return matching
}

/** Class 22: data exception; 23: integrity constraint violation; 42: syntax error (PostgreSQL, Appendix A). */
const BAD_ROW = /^(?:22|23)...$/

/** Converts an error of the database about rows into `backup_damaged`: it accepts all rows of an intact archive. */
async function withRowErrors(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!BAD_ROW.test(systemErrorCode(error) ?? '')) throw error
    throw damagedBackupError(`${name} has rows that the database refuses: ${describeError(error)}`, error)
  }
}

/** Creates a logger that writes warnings and errors only, because migrations of a temporary database would fill the log. */
export function createWarningLogger(log: Logger): Logger {
  return log.child({}, { level: 'warning' })
}
