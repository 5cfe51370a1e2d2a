import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { RATED_TYPES } from '../explain-rule.ts'
import type { AccessRule } from '../policy.ts'

const FoldedRow = z.strictObject({ tag: z.string().nullable() })
const TagRow = z.strictObject({ tag: z.string() })
const CountRow = z.strictObject({ count: z.number() })

/** The items with one of these tags, by the index of the tags that items state. */
const haveTags = (tags: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (t.metadata ? 'tags' or t.local_metadata ? 'tags') and stated_tags(t.metadata, t.local_metadata) && ${tags}`

/** Tags as rules and items have them: without regard to case, accents and spaces. Null for a text that is no tag. */
export async function selectFoldedTags(
  connection: Connection,
  tags: readonly string[],
): Promise<readonly (string | null)[]> {
  if (tags.length === 0) return []
  return connection.anyFirst(sql.type(FoldedRow)`
    select fold_tag(said) as tag from unnest(${sql.array([...tags], 'text')}) with ordinality t (said, place) order by place`)
}

/** Stores that a rule uses tags now, so that `deleteUnusedTags` keeps them. Unknown tags are ignored. */
export async function updateTagUseTimes(connection: Connection, tags: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`
    update access_tags set named_at = now() where tag = any (${sql.array([...tags], 'text')})`)
}

/** The tags among these that items do not carry yet: no rule has used them, or their items have not been written. */
export async function selectUnwrittenTags(connection: Connection, tags: readonly string[]): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(TagRow)`
    select w.tag from unnest(${sql.array([...tags], 'text')}) w (tag)
    where not exists (select from access_tags a where a.tag = w.tag and a.is_written)`)
}

/**
 * Adds tags, so that each item that is written from now on carries them. Waits for transactions that have read the earlier tags. Requires a
 * transaction.
 */
export async function insertTags(connection: Connection, tags: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:access-tags', 0))`)
  await connection.query(sql.unsafe`
    insert into access_tags (tag, is_written) select distinct w.tag, false from unnest(${sql.array([...tags], 'text')}) w (tag)
    on conflict do nothing`)
}

/** How many items state one of these tags. */
export async function countItemsWithTags(connection: Connection, tags: readonly string[]): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*)::int as count from media_items t where ${haveTags(sql.fragment`${sql.array([...tags], 'text')}`)}`)
}

/** A part of all items by their ids; `below` is null for the last one. */
export type IdRange = { from: string; below: string | null }

/** Writes the items of a range that state or carry one of these tags. */
export async function rewriteItems(
  connection: Connection,
  { tags, from, below }: IdRange & { tags: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    select rewrite_tagged_items(${sql.array([...tags], 'text')}, ${from}::uuid, ${below}::uuid)`)
}

/** Stores that all items carry these tags. */
export async function markTagsWritten(connection: Connection, tags: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`
    update access_tags set is_written = true where tag = any (${sql.array([...tags], 'text')})`)
}

/** The tags among these that at least one item has that a rule shows. */
export async function selectSeenTags(
  connection: Connection,
  { tags, rule }: { tags: readonly string[]; rule: AccessRule },
): Promise<ReadonlySet<string>> {
  const { libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags } = rule
  const rated = sql.array([...RATED_TYPES], 'text')
  const conditions = [
    haveTags(sql.fragment`array[w.tag]`),
    libraryIds === null ? undefined : sql.fragment`t.library_id = any (${sql.array([...libraryIds], 'uuid')})`,
    maxAge === null ? undefined : sql.fragment`(t.access_age is null or t.access_age <= ${maxAge})`,
    maxAge === null || allowsUnrated ? undefined : sql.fragment`(not t.is_unrated or t.type <> all (${rated}))`,
    sql.fragment`not coalesce(t.access_tags, '{}') && ${sql.array([...blockedTags], 'text')}`,
    ...allowedTags.map((list) => sql.fragment`t.access_top_tags && ${sql.array([...list], 'text')}`),
  ].filter((condition) => condition !== undefined)
  const found = await connection.anyFirst(sql.type(TagRow)`
    select w.tag from unnest(${sql.array([...tags], 'text')}) w (tag)
    where exists (select from media_items t where ${sql.join(conditions, sql.fragment` and `)})`)
  return new Set(found)
}

/**
 * Deletes tags that no policy contains and that no rule has used in the last hour: a change in progress may use a newer one. Items that are
 * written from now on do not carry them. Requires a transaction. @returns the tags
 */
export async function deleteUnusedTags(connection: Connection): Promise<readonly string[]> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:access-tags', 0))`)
  return connection.anyFirst(sql.type(TagRow)`
    with used (tag) as (
      select jsonb_path_query(rule, '$.blocked_tags[*]') #>> '{}' from access_policies
      union select jsonb_path_query(rule, '$.allowed_tags[*][*]') #>> '{}' from access_policies)
    delete from access_tags
    where named_at < now() - interval '1 hour' and tag not in (select tag from used) returning tag`)
}
