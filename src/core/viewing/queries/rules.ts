import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { DAYS } from '../hours.ts'
import type { StreamLimits, ViewingRule } from '../viewing-rule.ts'

const HoursRow = z.strictObject({
  startMinute: z.number(),
  endMinute: z.number(),
  days: z.array(z.enum(DAYS)),
  zone: z.string().nullable(),
})

const RuleRow = z.strictObject({
  profileId: z.string(),
  accountId: z.string(),
  accountStreams: z.number().nullable(),
  accountKbps: z.number().nullable(),
  profileStreams: z.number().nullable(),
  profileKbps: z.number().nullable(),
  hours: z.array(HoursRow),
})

/**
 * The rules of profiles.
 * @param input.zone of schedules that name none
 */
export async function selectViewingRules(
  connection: Connection,
  { profileIds, zone }: { profileIds: readonly string[]; zone: string },
): Promise<ReadonlyMap<string, ViewingRule>> {
  const rows = await connection.any(sql.type(RuleRow)`
    select r.id as profile_id, r.account_id, a.max_streams as account_streams, a.max_kbps as account_kbps,
      p.max_streams as profile_streams, p.max_kbps as profile_kbps,
      coalesce((
        select jsonb_agg(jsonb_build_object('startMinute', s.start_minute, 'endMinute', s.end_minute, 'days', s.days, 'zone', s.zone))
        from profile_schedules s where s.profile_id = r.id and s.is_active), '[]') as hours
    from profiles r
    left join stream_limits a on a.account_id = r.account_id
    left join stream_limits p on p.profile_id = r.id
    where r.id = any (${sql.array([...profileIds], 'uuid')})`)
  return new Map(
    rows.map(({ profileId, accountId, accountStreams, accountKbps, profileStreams, profileKbps, hours }) => [
      profileId,
      {
        profileId,
        accountId,
        hours: hours.map((one) => ({ ...one, zone: one.zone ?? zone })),
        ofAccount: { maxStreams: accountStreams, maxKbps: accountKbps },
        ofProfile: { maxStreams: profileStreams, maxKbps: profileKbps },
      },
    ]),
  )
}

/** Whose limits: exactly one of an account and a profile. */
export type LimitsOwner = { accountId: string } | { profileId: string }

const LimitsRow = z.strictObject({ maxStreams: z.number().nullable(), maxKbps: z.number().nullable() })

export async function selectStreamLimits(
  connection: Connection,
  owner: LimitsOwner,
): Promise<StreamLimits | undefined> {
  const row = await connection.maybeOne(sql.type(LimitsRow)`
    select max_streams, max_kbps from stream_limits where ${isOf(owner)}`)
  return row ?? undefined
}

export async function replaceStreamLimits(
  connection: Connection,
  { owner, maxStreams, maxKbps }: StreamLimits & { owner: LimitsOwner },
): Promise<void> {
  await connection.query(sql.unsafe`delete from stream_limits where ${isOf(owner)}`)
  if (maxStreams === null && maxKbps === null) return
  const [accountId, profileId] = 'accountId' in owner ? [owner.accountId, null] : [null, owner.profileId]
  await connection.query(sql.unsafe`
    insert into stream_limits (account_id, profile_id, max_streams, max_kbps)
    values (${accountId}, ${profileId}, ${maxStreams}, ${maxKbps})`)
}

function isOf(owner: LimitsOwner) {
  return 'accountId' in owner
    ? sql.fragment`account_id = ${owner.accountId}`
    : sql.fragment`profile_id = ${owner.profileId}`
}
