import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const CheckRow = z.strictObject({
  latestVersion: z.string().nullable(),
  checkedAt: z.date(),
  error: z.string().nullable(),
})

/** The result of the last check. */
export type ReleaseCheck = z.infer<typeof CheckRow>

export async function selectReleaseCheck(connection: Connection): Promise<ReleaseCheck | undefined> {
  const row = await connection.maybeOne(
    sql.type(CheckRow)`select latest_version, checked_at, error from release_checks`,
  )
  return row ?? undefined
}

/** A failed check keeps the version that was found before. */
export async function upsertReleaseCheck(
  connection: Connection,
  { latestVersion, error, now }: { latestVersion: string | null; error: string | null; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into release_checks (latest_version, checked_at, error)
    values (${latestVersion}, ${sql.timestamp(now)}, ${error})
    on conflict (id) do update set latest_version = coalesce(excluded.latest_version, release_checks.latest_version),
      checked_at = excluded.checked_at, error = excluded.error`)
}
