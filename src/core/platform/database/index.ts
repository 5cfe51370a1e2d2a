export { toDatabaseError, violatedUniqueConstraint } from './database-errors.ts'
export {
  checkEngineFiles,
  ENGINE_MAJOR_VERSION,
  findOlderVersion,
  hasCluster,
  isEngineRunning,
  joinEngine,
  findOlderClusterVersion,
  repairEngineFiles,
  RESTORE_JOURNAL,
  syncCluster,
  type EngineFiles,
  type EngineLease,
  type EngineVersion,
} from './engine/index.ts'
export { databaseErrors } from './errors.ts'
export { delegatePool } from './delegate-pool.ts'
export { createBatchLoader } from './batch-loader.ts'
export { batchesByLength, IdWithLengthRow, type IdWithLength } from './batches-by-length.ts'
export { listCreatedTables, hubMigrationsFolder } from './migration-files.ts'
export { findIndexFaults, repairIndexes, type IndexFaults } from './index-faults.ts'
export { checkMigrations, latestSchemaVersion, migrate, pendingMigrations, type MigrationReport } from './migrate.ts'
export { createMessageAssembler, splitMessage } from './split-message.ts'
export { openNotificationLink, type NotificationLink } from './notification-link.ts'
export {
  externalDatabaseUri,
  hasDatabase,
  openDatabase,
  openPool,
  prestartEngine,
  requireServerVersion,
  type Connection,
  type Database,
  type OpenDatabase,
  type StartingEngine,
} from './open-database.ts'
export { addMissingKey, hasKey, type RequiredKey } from './required-keys.ts'
export { isRowId } from './is-row-id.ts'
export { acquireSessionLock, isSessionLockHeld, listSessionLockHolders, type SessionLock } from './session-lock.ts'
export { unpreparedPrefix } from './unprepared-statement.ts'
export { databaseNameFromUri, withDedicatedConnection, replaceDatabaseName } from './with-dedicated-connection.ts'
export { acquireNamedLock } from './acquire-named-lock.ts'
export { CountRow, IdRow } from './row-schemas.ts'
export { listenToChannel, type NotificationListener } from './listen-to-channel.ts'
