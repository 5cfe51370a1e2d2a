import { defineErrors } from '../errors/index.ts'

export const databaseErrors = defineErrors({
  database_unavailable: {
    kind: 'unavailable',
    title: 'Database unavailable',
    doc: 'The database cannot be reached or does not answer; the request or command can be tried again.',
  },
  database_refused: {
    kind: 'misconfigured',
    title: 'The database server refuses the connection',
    doc: 'The server named by DB_HOST does not accept the account or its password, or has no database of that name.',
  },
  database_too_old: {
    kind: 'misconfigured',
    title: 'Database server too old',
    doc: 'The server named by DB_HOST is older than PostgreSQL 16.',
  },
  schema_too_new: {
    kind: 'misconfigured',
    title: 'Schema newer than this program',
    doc: 'The database was migrated by a newer release; nothing is changed.',
  },
  migration_edited: {
    kind: 'misconfigured',
    title: 'Migration was edited',
    doc: 'The file of this release differs from an applied migration, or a new file precedes an applied one.',
  },
  migration_failed: {
    kind: 'failed',
    title: 'Migration failed',
    doc: 'A migration stopped with an error; its transaction was rolled back.',
  },
  engine_failed: {
    kind: 'unavailable',
    title: 'Embedded database did not start',
    doc: 'The embedded PostgreSQL could not be started; `logs/postgres.log` in the data directory has the details.',
  },
  engine_misplaced: {
    kind: 'misconfigured',
    title: 'Embedded database cannot work here',
    doc: 'The data directory or the program files cannot be accessed by the account that the embedded PostgreSQL runs as.',
  },
  engine_replaced: {
    kind: 'busy',
    title: 'The database is being restored',
    doc: 'The embedded PostgreSQL does not start while a restore replaces its files.',
  },
  engine_version: {
    kind: 'misconfigured',
    title: 'Data directory of another PostgreSQL version',
    doc: 'The data directory holds the files of another major version of PostgreSQL.',
  },
})
