import type { Config, Environment } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { DiskThreads } from '../platform/files/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { RunAccount } from '../platform/spawn/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { CheckResult } from './finding.ts'

export type OpenedDatabase = { db: Database; connectionUri: string; hasCurrentSchema: boolean }

/** The open database, or the reason why there is none. `isMissing`: the data directory has none yet. */
export type ExaminedDatabase = OpenedDatabase | { reason: string; isMissing: boolean }

/** An account of /etc/passwd; the name is null for an account without an entry. */
export type ServiceAccount = RunAccount & { name: string | null }

/** What the checks examine. */
export type DoctorContext = Readonly<{
  config: Config
  clock: Clock
  log: Logger
  environment: Environment
  database: ExaminedDatabase
  diskThreads: DiskThreads
  /** The HTTP client for other servers. */
  outbound: Outbound
  /** The database processes of the servers of this database, oldest first. */
  listDaemonProcesses: (database: { connectionUri: string }) => Promise<number[]>
  /** The account that the server runs as; undefined if it is the account of this process. */
  serviceAccount: ServiceAccount | undefined
  /** A statement that runs longer is reported. */
  slowStatementSeconds: number
  /** The version of Node, without the leading `v`. */
  nodeVersion: string
  /** Completes a command of this product with the flags that select the same data directory and configuration file. */
  phlix: (words: string) => string
}>

/** A check that works without a database. */
type PlainCheck = Readonly<{ id: string; run: (context: DoctorContext) => Promise<CheckResult[]> }>

/** A check that reads the tables. It is skipped unless the database is open and has the schema of this release. */
type TableCheck = Readonly<{
  id: string
  runOnTables: (context: DoctorContext, database: OpenedDatabase) => Promise<CheckResult[]>
}>

export type DoctorCheck = PlainCheck | TableCheck
