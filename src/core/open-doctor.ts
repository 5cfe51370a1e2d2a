import type { CoreServices } from './core-services.ts'
import { listDaemonProcesses } from './daemon-lock.ts'
import { findServiceAccount, type DoctorContext, type ExaminedDatabase, type OpenedDatabase } from './doctor/index.ts'
import { processEnvironment, type Config } from './platform/config/index.ts'
import { hasDatabase, openDatabase, pendingMigrations, type OpenDatabase } from './platform/database/index.ts'
import { AppError, describeError } from './platform/errors/index.ts'
import { createDiskThreads } from './platform/files/index.ts'
import type { Logger } from './platform/logging/index.ts'
import { createOutbound } from './platform/outbound/index.ts'
import { applyDatabaseSettings } from './platform/settings/index.ts'
import { systemClock } from './platform/time/index.ts'

export type DoctorInput = {
  config: Config
  log: Logger
  /** Makes the text of a command, as in `DoctorContext`. */
  phlix: (words: string) => string
}

const SLOW_STATEMENT_SECONDS = 30

/** Opens what the checks examine. A database that is missing or does not open is part of the result. Creates and migrates nothing. */
export async function openDoctor(input: DoctorInput): Promise<{ context: DoctorContext; close(): Promise<void> }> {
  const { opened, database } = await tryToOpen(input)
  const config = opened === undefined ? input.config : await settingsOf(input.config, opened)
  const outbound = createOutbound({ log: input.log })
  const context: DoctorContext = {
    ...input,
    config,
    clock: systemClock,
    environment: processEnvironment(),
    database,
    diskThreads: createDiskThreads(),
    outbound,
    listDaemonProcesses,
    serviceAccount: findServiceAccount(config.dataDirectory),
    slowStatementSeconds: SLOW_STATEMENT_SECONDS,
    nodeVersion: process.versions.node,
  }
  return {
    context,
    async close() {
      await outbound.close()
      await opened?.close()
    },
  }
}

/** Makes the context of the checks in a process whose services are open. */
export async function createDoctorContext(
  services: Pick<CoreServices, 'config' | 'log' | 'clock' | 'db' | 'connectionUri' | 'diskThreads' | 'outbound'>,
): Promise<DoctorContext> {
  const { config, db, connectionUri } = services
  return {
    ...services,
    environment: processEnvironment(),
    database: await examinedDatabase({ db, connectionUri }),
    listDaemonProcesses,
    serviceAccount: findServiceAccount(config.dataDirectory),
    slowStatementSeconds: SLOW_STATEMENT_SECONDS,
    nodeVersion: process.versions.node,
    phlix: (words) => `phlix ${words}`,
  }
}

async function examinedDatabase(opened: Omit<OpenedDatabase, 'hasCurrentSchema'>): Promise<ExaminedDatabase> {
  try {
    return { ...opened, hasCurrentSchema: await isSchemaCurrent(opened.db) }
  } catch (error) {
    return { reason: describeError(error), isMissing: false }
  }
}

type Opening = { opened?: OpenDatabase; database: ExaminedDatabase }

async function tryToOpen({ config, log }: DoctorInput): Promise<Opening> {
  if (!hasDatabase(config)) {
    return { database: { reason: `there is no database in ${config.dataDirectory}`, isMissing: true } }
  }
  try {
    const opened = await openDatabase({ config, log })
    const { pool: db, connectionUri } = opened
    return { opened, database: await examinedDatabase({ db, connectionUri }) }
  } catch (error) {
    return { database: { reason: describeError(error), isMissing: false } }
  }
}

async function isSchemaCurrent(db: OpenDatabase['pool']): Promise<boolean> {
  try {
    return (await pendingMigrations(db)).length === 0
  } catch (error) {
    if (error instanceof AppError && error.kind === 'misconfigured') return false
    throw error
  }
}

/** Settings of a schema that this release does not know are not read. */
async function settingsOf(config: Config, { pool }: OpenDatabase): Promise<Config> {
  return applyDatabaseSettings({ config, db: pool }).catch(() => config)
}
