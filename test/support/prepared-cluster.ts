import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { joinEngine, migrate } from '../../src/core/platform/database/index.ts'
import { readMigrationFiles } from '../../src/core/platform/database/migration-files.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { memoryParent } from './memory-directory.ts'
import { untilNoProcessOf } from './processes.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const HASH_CHARACTERS = 12

/**
 * Copies a database cluster with a migrated database into an empty data directory, for tests that do not test the first start: creating a
 * cluster takes seconds of processor time, a copy a tenth of a second.
 */
export async function copyPreparedCluster(dataDirectory: string): Promise<void> {
  execFileSync('cp', ['-a', '--reflink=auto', join(await preparedDirectory(), 'postgres'), dataDirectory])
}

/**
 * Created once per checkout and set of migrations, and kept for later runs. If several processes create it at the same time, one is kept.
 */
async function preparedDirectory(): Promise<string> {
  const ofCheckout = `phlix-test-cluster-${process.getuid?.() ?? 0}-${shortHash(ROOT)}-`
  const migrations = readMigrationFiles().map(({ name, checksum }) => `${name}:${checksum}`)
  const directory = join(memoryParent(), `${ofCheckout}${shortHash(migrations.join('\n'))}`)
  if (existsSync(directory)) return directory
  await removeOthers(ofCheckout)
  const unfinished = await mkdtemp(`${directory}-`)
  await chmod(unfinished, 0o755)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  const lease = await joinEngine({ dataDirectory: unfinished, log, isDurable: false })
  try {
    await migrate({ connectionUri: lease.connectionUri, log })
  } finally {
    await lease.leave()
  }
  await untilNoProcessOf(unfinished)
  try {
    await rename(unfinished, directory)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

/** Removes clusters of older migrations. A cluster that another worker is creating has a longer name. */
async function removeOthers(ofCheckout: string): Promise<void> {
  const names = (await readdir(memoryParent())).filter((name) => name.startsWith(ofCheckout))
  const old = names.filter((name) => name.length === ofCheckout.length + HASH_CHARACTERS)
  for (const name of old) await rm(join(memoryParent(), name), { recursive: true, force: true })
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS)
}
