import { migrate } from '../../platform/database/index.ts'
import { requireEqualTables } from './compare-tables.ts'
import { loadArchive, createWarningLogger, type LoadInput } from './load-archive.ts'

/** What has just been done, for progress and for tests of interruptions. */
export type LoadStep = 'table' | 'loaded' | 'compared' | 'migrated'

type Input = Omit<LoadInput, 'onTable'> & { onStep?: ((step: LoadStep) => void) | undefined }

/**
 * Loads an archive into an empty database, compares every table with the archive, and applies the newer migrations.
 * @returns the schema version afterwards
 * @throws AppError as `loadArchive` does
 */
export async function loadAndMigrate({ onStep, ...input }: Input): Promise<number> {
  await loadArchive({ ...input, onTable: () => onStep?.('table') })
  onStep?.('loaded')
  await requireEqualTables(input)
  onStep?.('compared')
  const { schemaVersion } = await migrate({ ...input, log: createWarningLogger(input.log) })
  onStep?.('migrated')
  return schemaVersion
}
