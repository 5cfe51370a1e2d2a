import { sql } from 'slonik'
import { z } from 'zod'
import { databaseErrors, IdRow, isRowId, type Connection } from '../../platform/database/index.ts'
import type { AccessFacts } from '../explain-rule.ts'
import { EVERYTHING, computeRuleFingerprint, normalizeRule, type AccessPolicy, type AccessRule } from '../policy.ts'
import { selectUnwrittenTags } from './tags.ts'

const PolicyRow = z.strictObject({
  id: z.number(),
  libraries: z.array(z.string()).nullable(),
  maxAge: z.number().nullable(),
  allowsUnrated: z.boolean(),
  blockedTags: z.array(z.string()).nullable(),
  allowedTags: z.array(z.array(z.string())).nullable(),
})

const PolicyIdRow = z.strictObject({ id: z.number() })
const AgeRow = z.strictObject({ age: z.number().nullable() })

const columns = sql.fragment`
  p.id, nullif(p.rule -> 'libraries', 'null') as libraries, (p.rule ->> 'max_age')::int as max_age,
  (p.rule ->> 'allows_unrated')::boolean as allows_unrated, p.rule -> 'blocked_tags' as blocked_tags, p.rule -> 'allowed_tags' as allowed_tags`

/** Rules that were stored before limits by tags existed contain none. */
function toPolicy({ id, libraries, blockedTags, allowedTags, ...rule }: z.infer<typeof PolicyRow>): AccessPolicy {
  return {
    id,
    rule: {
      ...rule,
      libraryIds: libraries,
      blockedTags: blockedTags ?? EVERYTHING.blockedTags,
      allowedTags: allowedTags ?? EVERYTHING.allowedTags,
    },
  }
}

/**
 * The policy of a rule, stored at its first use.
 * @throws AppError `database_unavailable` for tags that items do not carry: the rule would not hold
 */
export async function upsertPolicy(connection: Connection, rule: AccessRule): Promise<AccessPolicy> {
  const { libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags } = normalizeRule(rule)
  const text = JSON.stringify({
    libraries: libraryIds,
    max_age: maxAge,
    allows_unrated: allowsUnrated,
    blocked_tags: blockedTags,
    allowed_tags: allowedTags,
  })
  const tags = [...blockedTags, ...allowedTags.flat()]
  if (tags.length > 0 && (await selectUnwrittenTags(connection, tags)).length > 0) {
    throw databaseErrors.database_unavailable({
      message: 'some items do not carry the tags of these limits yet',
      retryAfterSeconds: 1,
    })
  }
  const fingerprint = sql.binary(computeRuleFingerprint(rule))
  // Without the update the statement would not return an existing row, and the policy could be deleted as unused.
  const id = await connection.oneFirst(sql.type(PolicyIdRow)`
    insert into access_policies (fingerprint, rule) values (${fingerprint}, ${text}::jsonb)
    on conflict (fingerprint) do update set named_at = now() returning id`)
  return { id, rule: normalizeRule(rule) }
}

/**
 * Deletes policies that are unused and were not assigned in the last hour. A change in progress may still use a newer one.
 * @returns how many; as many as the limit if there may be more
 */
export async function deleteUnusedPolicies(connection: Connection, { limit }: { limit: number }): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from access_policies where named_at < now() - interval '1 hour' and id in (
      select p.id from access_policies p
      where p.named_at < now() - interval '1 hour' and not exists (select from users u where u.policy_id = p.id)
        and not exists (select from profiles r where r.policy_id = p.id)
        and not exists (select from profiles r where r.effective_policy_id = p.id)
        and not exists (select from account_invites i where i.policy_id = p.id)
      limit ${limit})`)
  return rowCount
}

/** Policies by id; unknown ids are missing. */
export async function selectPolicies(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccessPolicy>> {
  const rows = await connection.any(sql.type(PolicyRow)`
    select ${columns} from access_policies p where p.id = any (${sql.array([...ids], 'int4')})`)
  return new Map(rows.map((row) => [row.id, toPolicy(row)]))
}

/** The policies among these that a profile of an active account has now, by id. */
export async function selectPoliciesInUse(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccessPolicy>> {
  const rows = await connection.any(sql.type(PolicyRow)`
    select ${columns} from access_policies p
    where p.id = any (${sql.array([...ids], 'int4')})
      and exists (
        select from profiles r join users u on u.id = r.account_id
        where r.effective_policy_id = p.id and u.status = 'active')`)
  return new Map(rows.map((row) => [row.id, toPolicy(row)]))
}

/** Whether some profile of an active account has limits. */
export async function hasPolicyInUse(connection: Connection): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from profiles r join users u on u.id = r.account_id where r.effective_policy_id is not null and u.status = 'active'`)
}

const ProfilePolicyRow = z.strictObject({ profileId: z.string(), policyId: z.number().nullable() })

/** The ids of the policies of profiles; null for those without limits. Deleted profiles are missing. */
export async function selectPolicyIdsOf(
  connection: Connection,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await connection.any(sql.type(ProfilePolicyRow)`
    select id as profile_id, effective_policy_id as policy_id from profiles
    where id = any (${sql.array([...profileIds], 'uuid')})`)
  return new Map(rows.map(({ profileId, policyId }) => [profileId, policyId]))
}

/** Which of these items exist, as seen over this connection. */
export async function selectSeenItemIds(connection: Connection, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(
    await connection.anyFirst(sql.type(IdRow)`
      select id from media_items where id = any (${sql.array([...ids], 'uuid')})`),
  )
}

const FactsRow = z.strictObject({
  libraryId: z.string(),
  type: z.string(),
  accessAge: z.number().nullable(),
  isUnrated: z.boolean(),
  tags: z.array(z.string()),
  topTags: z.array(z.string()),
})

/** The facts about an item that rules check; undefined if there is no such item. */
export async function selectAccessFacts(connection: Connection, itemId: string): Promise<AccessFacts | undefined> {
  if (!isRowId(itemId)) return undefined
  const row = await connection.maybeOne(sql.type(FactsRow)`
    select library_id, type, access_age, is_unrated, coalesce(access_tags, '{}') as tags, coalesce(access_top_tags, '{}') as top_tags
    from media_items where id = ${itemId}`)
  return row ?? undefined
}

/** Which of these libraries exist, as seen over this connection. */
export async function selectSeenLibraryIds(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await connection.anyFirst(sql.type(IdRow)`
      select id from libraries where id = any (${sql.array([...ids], 'uuid')})`),
  )
}

const NamedLibraryRow = z.strictObject({ id: z.string(), name: z.string() })

/** The ids of the libraries with these names or ids, by the given text; texts of no library are missing. Names may be shared. */
export async function selectLibraryIdsNamed(
  connection: Connection,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await connection.any(sql.type(NamedLibraryRow)`
    select l.id, wanted.name from unnest(${sql.array([...names], 'text')}) as wanted (name)
    join libraries l on l.name = wanted.name or l.id::text = lower(wanted.name) order by l.id`)
  const found = new Map<string, string[]>()
  for (const { id, name } of rows) found.set(name, [...(found.get(name) ?? []), id])
  return found
}

/** The age in years that a content rating stands for, in the system of a country (two letters); null for an unknown word. */
export async function selectRatingAge(
  connection: Connection,
  { rating, country }: { rating: string; country: string | null },
): Promise<number | null> {
  return connection.oneFirst(sql.type(AgeRow)`select rating_age(${rating}, ${country}) as age`)
}
