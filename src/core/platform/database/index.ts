export { asDatabaseError, uniqueViolation } from './database-errors.ts'
export { checkEngineFiles, joinEngine, mendEngineFiles, type EngineFiles, type EngineLease } from './engine/index.ts'
export { databaseErrors } from './errors.ts'
export { createBatchLoader } from './batch-loader.ts'
export { findIndexFaults, mendIndexes, type IndexFaults } from './index-faults.ts'
export { checkMigrations, migrate, pendingMigrations, type MigrationReport } from './migrate.ts'
export {
  isDatabaseMade,
  openDatabase,
  openPool,
  prestartEngine,
  requireServerVersion,
  type Connection,
  type Database,
  type OpenDatabase,
  type StartingEngine,
} from './open-database.ts'
export { isId } from './row-id.ts'
export { acquireSessionLock, isSessionLockHeld, listSessionLockHolders, type SessionLock } from './session-lock.ts'
export { unprepared } from './unprepared.ts'
export { lockName } from './lock-name.ts'
export { CountRow, IdRow } from './row-schemas.ts'
