import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const ServerFacts = z.strictObject({ version: z.string(), encoding: z.string() })

export async function selectServerFacts(db: Connection): Promise<z.infer<typeof ServerFacts>> {
  return db.one(sql.type(ServerFacts)`
    select current_setting('server_version') as version, pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()`)
}

const ServerTime = z.strictObject({ now: z.date() })

/** The time of the database server, not of the transaction. */
export async function selectServerTime(db: Connection): Promise<Date> {
  return db.oneFirst(sql.type(ServerTime)`select clock_timestamp() as now`)
}

const ExtensionRow = z.strictObject({ name: z.string() })

export async function selectExtensions(db: Connection): Promise<readonly string[]> {
  return db.anyFirst(sql.type(ExtensionRow)`select extname::text as name from pg_extension`)
}

export async function createExtension(db: Connection, name: string): Promise<void> {
  await db.query(sql.unsafe`create extension if not exists ${sql.identifier([name])}`)
}

const SlowStatement = z.strictObject({ pid: z.number(), seconds: z.number(), application: z.string() })

/** Statements of this database that have been running longer than this, longest first. Their text can hold personal data and is not read. */
export async function selectSlowStatements(
  db: Connection,
  seconds: number,
): Promise<readonly z.infer<typeof SlowStatement>[]> {
  return db.any(sql.type(SlowStatement)`
    select pid, extract(epoch from clock_timestamp() - query_start)::float8 as seconds, application_name as application
    from pg_stat_activity
    where datname = current_database() and state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()
      and clock_timestamp() - query_start > make_interval(secs => ${seconds})
    order by query_start limit 20`)
}
