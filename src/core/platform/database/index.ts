export { asDatabaseError, uniqueViolation } from './database-errors.ts'
export { joinEngine, type EngineLease } from './engine/index.ts'
export { databaseErrors } from './errors.ts'
export { checkMigrations, migrate, type MigrationReport } from './migrate.ts'
export {
  openDatabase,
  requireServerVersion,
  type Connection,
  type Database,
  type OpenDatabase,
} from './open-database.ts'
export { acquireSessionLock, isSessionLockHeld, type SessionLock } from './session-lock.ts'
export { unprepared } from './unprepared.ts'
