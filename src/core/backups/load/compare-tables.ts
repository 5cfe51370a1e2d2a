import { damagedBackupError } from '../archive/damaged-backup-error.ts'
import type { Archive } from '../archive/read-archive.ts'
import { allocateSegmentBuffers, exportTable } from '../snapshot/export-table.ts'
import { withSnapshot } from '../snapshot/with-snapshot.ts'

/** How a table of a database differs from the archive. */
export type TableDifference = { name: string; expectedRows: number; foundRows: number }

type Input = { archive: Pick<Archive, 'manifest'>; connectionUri: string; signal?: AbortSignal | undefined }

/** Compares the ordered text of every table with the checksums of the archive. The database must have the schema of the archive. */
export function compareTables({ archive, connectionUri, signal }: Input): Promise<TableDifference[]> {
  return withSnapshot({ connectionUri }, async ({ client, tables }) => {
    const differences: TableDifference[] = []
    const buffers = allocateSegmentBuffers()
    for (const table of tables) {
      const stored = archive.manifest.tables.find(({ name }) => name === table.name)
      const actual = await exportTable(client, table, { buffers, take: async () => {}, signal })
      if (stored?.sha256 === actual.sha256) continue
      differences.push({ name: table.name, expectedRows: stored?.rows ?? 0, foundRows: actual.rows })
    }
    return differences
  })
}

/** @throws AppError `backup_damaged` at the first difference */
export async function requireEqualTables(input: Input): Promise<void> {
  const [first] = await compareTables(input)
  if (first !== undefined) throw damagedBackupError(`the table ${first.name} is not what was backed up`)
}
