import { sql } from 'slonik'
import { z } from 'zod'
import { pathHash } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'

/** Enough to diagnose a problem, without letting a broken disk fill the database. */
const MAX_FAILURES_PER_JOB = 1000

const FailureRow = z.strictObject({ path: z.string(), code: z.string(), reason: z.string(), occurredAt: z.date() })

/** The reason why a file or folder could not be added to the catalogue. */
export type ScanFailure = z.infer<typeof FailureRow>

export async function insertScanFailures(
  connection: Connection,
  { jobId, failures, now }: { jobId: string; failures: readonly Omit<ScanFailure, 'occurredAt'>[]; now: Date },
): Promise<void> {
  if (failures.length === 0) return
  const rows = failures.map(({ path, code, reason }) => [pathHash(path), storable(path), code, storable(reason)])
  await connection.query(sql.unsafe`
    insert into scan_failures (scan_job_id, occurred_at, path_hash, path, code, reason)
    select ${jobId}::uuid, ${sql.timestamp(now)}, * from ${sql.unnest(rows, ['bytea', 'text', 'text', 'text'])}
    where (select count(*) from scan_failures where scan_job_id = ${jobId}) < ${MAX_FAILURES_PER_JOB}
    on conflict do nothing`)
}

export async function selectScanFailures(
  connection: Connection,
  { jobId, limit }: { jobId: string; limit: number },
): Promise<ScanFailure[]> {
  const rows = await connection.any(sql.type(FailureRow)`
    select path, code, reason, occurred_at from scan_failures where scan_job_id = ${jobId}
    order by path, path_hash limit ${limit}`)
  return [...rows]
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
