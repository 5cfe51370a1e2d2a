import type { Config } from '../../platform/config/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { migrate } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { ArchiveHeader } from '../archive/format.ts'
import { checkParts, type Archive } from '../archive/read-archive.ts'
import { requireSpace } from '../space/require-space.ts'
import { backupErrors } from '../errors.ts'
import { withArchive } from '../open/with-archive.ts'
import { compareTables, type TableDifference } from '../load/compare-tables.ts'
import { loadArchive, createWarningLogger, requireKnownSchema } from '../load/load-archive.ts'
import { openSideCluster, openSideDatabase } from '../scratch/open-scratch.ts'

export type VerifyInput = {
  path: string
  passphrase?: string | undefined
  signal?: AbortSignal | undefined
  onTable?: ((name: string) => void) | undefined
}

export type Verification = {
  /** `partial`: the checksums match, but the role may not create the database for a trial restore. */
  result: 'ok' | 'partial' | 'damaged'
  problem: string | null
  header: ArchiveHeader | null
  tables: number
  rows: number
  differences: readonly TableDifference[]
}

export type VerifyDependencies = {
  config: Config
  log: Logger
  /** Connection URI of the external server; undefined for the embedded engine. */
  externalUri: string | undefined
}

/** A database needs more space than the text of its rows: indexes, and the write-ahead log. */
export const SPACE_FACTOR = 3

/**
 * Checks all checksums, restores into a database that is removed afterwards, compares every table, and applies the newer migrations. With
 * the embedded engine that database has its own server, so that the running server is not affected.
 * @throws AppError `backup_not_found`, `backup_too_new`, `backup_passphrase`, `backup_no_space`, `database_unavailable`
 */
export async function verifyBackup(needs: VerifyDependencies, input: VerifyInput): Promise<Verification> {
  let archive: Archive | undefined
  const describe = (): Pick<Verification, 'header' | 'tables' | 'rows'> => ({
    header: archive?.header ?? null,
    tables: archive?.manifest.tables.length ?? 0,
    rows: archive?.manifest.tables.reduce((sum, { rows }) => sum + rows, 0) ?? 0,
  })
  try {
    return await withArchive({ ...needs, ...input }, async (opened) => {
      archive = opened
      requireKnownSchema(opened)
      await checkParts(opened, input.signal)
      const differences = await tryRestore(needs, { ...input, archive: opened })
      if (differences === undefined) return { ...describe(), result: 'partial', problem: NO_TRIAL, differences: [] }
      const [first] = differences
      if (first === undefined) return { ...describe(), result: 'ok', problem: null, differences }
      return {
        ...describe(),
        result: 'damaged',
        problem: `The table ${first.name} differs after a restore`,
        differences,
      }
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    return { ...describe(), result: 'damaged', problem: describeError(error), differences: [] }
  }
}

const NO_TRIAL = 'The role may not create databases: only the checksums were compared'

/** Whether an error means that the archive itself is not usable. */
export function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === backupErrors.backup_damaged.definition.code
}

type Trial = VerifyInput & { archive: Archive }

/** @returns undefined if no database can be created */
async function tryRestore(needs: VerifyDependencies, input: Trial): Promise<TableDifference[] | undefined> {
  const { config, log, externalUri } = needs
  if (externalUri === undefined) {
    await requireSpace(config.dataDirectory, {
      bytes: SPACE_FACTOR * rawBytes(input.archive),
      floorBytes: config.options['hls.min_disk_space_bytes'],
    })
    const side = await openSideCluster({ config, log })
    try {
      return await loadAndCompare({ ...input, connectionUri: side.connectionUri, log })
    } finally {
      await side.remove()
    }
  }
  const side = await openSideDatabase(externalUri, 'verify').catch((error: unknown) => ignoreMissingRight(error))
  if (side === undefined) return undefined
  try {
    return await loadAndCompare({ ...input, connectionUri: side.connectionUri, log })
  } finally {
    await side.remove()
  }
}

async function loadAndCompare(input: Trial & { connectionUri: string; log: Logger }): Promise<TableDifference[]> {
  await loadArchive(input)
  const differences = await compareTables(input)
  if (differences.length === 0) await migrate({ ...input, log: createWarningLogger(input.log) })
  return differences
}

function ignoreMissingRight(error: unknown): undefined {
  if (error instanceof AppError && error.code === backupErrors.restore_no_right.definition.code) return
  throw error
}

/** Size of the text of all rows. */
export function rawBytes({ manifest }: Pick<Archive, 'manifest'>): number {
  return manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
}
