import { sql } from 'slonik'
import { z } from 'zod'
import { postgresSafeJson } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'

const ReplyRow = z.strictObject({ reply: z.unknown(), fetchedAt: z.date() })

/** A cached reply; its `reply` is null if the provider did not have the resource. */
export async function findReply(
  connection: Connection,
  { requestHash, since }: { requestHash: Buffer; since: Date },
): Promise<z.infer<typeof ReplyRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ReplyRow)`
    select reply, fetched_at from provider_replies
    where request_hash = ${sql.binary(requestHash)} and fetched_at >= ${sql.timestamp(since)}`)
  return row ?? undefined
}

export async function upsertReply(
  connection: Connection,
  { requestHash, reply, now }: { requestHash: Buffer; reply: object | null; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into provider_replies (request_hash, reply, fetched_at)
    values (${sql.binary(requestHash)}, ${reply === null ? null : postgresSafeJson(reply)}::jsonb, ${sql.timestamp(now)})
    on conflict (request_hash) do update set reply = excluded.reply, fetched_at = excluded.fetched_at`)
}

/** Deletes replies from before `expired`, and the oldest beyond `kept`. */
export async function deleteOldReplies(
  connection: Connection,
  { expired, kept }: { expired: Date; kept: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from provider_replies where fetched_at < ${sql.timestamp(expired)} or request_hash in (
      select request_hash from provider_replies order by fetched_at desc offset ${kept})`)
}
