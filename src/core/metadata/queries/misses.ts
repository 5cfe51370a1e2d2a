import { sql, type FragmentSqlToken } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'

/** Unsuccessful searches after `since`, with these providers. */
export type RecentMisses = { since: Date; providers: string }

type UnsuccessfulSearch = { itemId: string; questionHash: Buffer; providers: string; askedAt: Date }

/** Hash of the search terms of an item `i` whose path, or that of one of its episodes, is `path`: all inputs of a search. */
export function searchTermsHash(path: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`sha256(convert_to(jsonb_build_array(
    i.name, i.year, ${path}, i.metadata->'external_ids', i.local_metadata->'external_ids',
    i.local_metadata->>'original_title')::text, 'UTF8'))`
}

/** Whether an unmatched item `i` had a recent unsuccessful search under its current name. */
export function isRecentMiss({ since, providers }: RecentMisses, questionHash: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`(i.metadata_refreshed_at is null and exists (
    select from metadata_misses m where m.media_item_id = i.id and m.asked_at > ${sql.timestamp(since)}
      and m.providers = ${providers} and m.question_hash = ${questionHash}))`
}

/** Stores an unsuccessful search. Does nothing if the item was deleted meanwhile. */
export async function upsertMiss(
  connection: Connection,
  { itemId, questionHash, providers, askedAt }: UnsuccessfulSearch,
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into metadata_misses (media_item_id, question_hash, providers, asked_at)
    select id, ${sql.binary(questionHash)}, ${providers}, ${sql.timestamp(askedAt)} from media_items where id = ${itemId}
    on conflict (media_item_id) do update set
      question_hash = excluded.question_hash, providers = excluded.providers, asked_at = excluded.asked_at`)
}

export async function deleteMiss(connection: Connection, itemId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from metadata_misses where media_item_id = ${itemId}`)
}
