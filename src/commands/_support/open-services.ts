import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { CoreServices } from '../../core/core-services.ts'
import type { HubStore } from '../../core/hub/index.ts'
import type { Config } from '../../core/platform/config/index.ts'
import { systemErrorCode } from '../../core/platform/errors/index.ts'
import type { Logger } from '../../core/platform/logging/index.ts'
import type { Services } from '../../core/services.ts'
import { commandErrors } from './errors.ts'
import { finishInterruptedRestore } from './finish-restore.ts'

/** Number of attempts while the schema is outdated and another process appears to be a server or a migration. */
const ATTEMPTS = 20
const PAUSE_MILLISECONDS = 100

/**
 * Opens the core services for one command, with a current schema. Pending migrations are applied here, so that the first command after an
 * upgrade works, but never while a server runs, which needs its own schema. A database is not created: a mistyped data directory would
 * become an empty server.
 * @throws AppError `no_database`, `schema_outdated`, `database_unavailable` and the errors of `createCoreServices`
 */
export async function openCoreServices(config: Config, log: Logger): Promise<CoreServices> {
  await requireDatabase(config)
  const { createCoreServices } = await import('../../core/core-services.ts')
  const services = await createCoreServices({ config, log })
  try {
    await requireCurrentSchema(services)
    return services
  } catch (error) {
    await services.close()
    throw error
  }
}

/**
 * A mistyped data directory must not become an empty server.
 * @throws AppError `no_database`; the system error for a directory that this account may not enter, which can have a database
 */
export async function requireDatabase(config: Config): Promise<void> {
  const { hasDatabase } = await import('../../core/platform/database/index.ts')
  if (!hasDatabase(config)) {
    await requireEntry(config.dataDirectory)
    throw commandErrors.no_database({
      message: `There is no database in ${config.dataDirectory}`,
      hint: 'name another directory with --data-dir or PHLIX_DATA_DIR; `phlix migrate` creates a database',
      details: { data_directory: config.dataDirectory },
    })
  }
}

async function requireEntry(directory: string): Promise<void> {
  try {
    await access(directory, constants.X_OK)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
}

/** Opens all services for one command. @throws AppError as `openCoreServices` does */
export async function openServices(config: Config, log: Logger): Promise<Services> {
  const core = await openCoreServices(config, log)
  const { addMediaServices } = await import('../../core/services.ts')
  return addMediaServices(core)
}

/** Opens the database of the hub. @throws AppError `no_database` and the errors of `openHubStore` */
export async function openHub(config: Config, log: Logger): Promise<HubStore> {
  const { hubConfig, openHubStore } = await import('../../core/hub/index.ts')
  const ofHub = hubConfig(config)
  await finishInterruptedRestore(ofHub.dataDirectory)
  const { hasDatabase } = await import('../../core/platform/database/index.ts')
  if (!hasDatabase(ofHub)) {
    throw commandErrors.no_database({
      message: `There is no hub in ${ofHub.dataDirectory}`,
      hint: '`phlix hub:serve` makes a new one; --data-dir or PHLIX_DATA_DIR name another folder',
      details: { data_directory: ofHub.dataDirectory },
    })
  }
  return openHubStore({ config: ofHub, log })
}

async function requireCurrentSchema(services: CoreServices): Promise<void> {
  const { pendingMigrations } = await import('../../core/platform/database/index.ts')
  const { config, connectionUri, db, log } = services
  let pending = await pendingMigrations(db)
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    const mayMigrate = config.options['database.run_migrations'] && !(await hasRunningServer(services))
    if (mayMigrate) {
      const { migrateWithBackup } = await import('../../core/backups/index.ts')
      ;({ pending } = await migrateWithBackup({ config, connectionUri, log }))
      continue
    }
    if (attempt === ATTEMPTS) throw commandErrors.schema_outdated({ hint: 'phlix migrate', details: { pending } })
    await pause(PAUSE_MILLISECONDS)
    pending = await pendingMigrations(db)
  }
}

async function hasRunningServer(services: CoreServices): Promise<boolean> {
  const { isDaemonRunning } = await import('../../core/daemon-lock.ts')
  return isDaemonRunning(services)
}
