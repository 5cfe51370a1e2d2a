import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { DAYS } from '../time-windows.ts'
import { makePlaybackLimits, type StreamLimits, type PlaybackLimits } from '../playback-limits.ts'

const TimeWindowRow = z.strictObject({
  startMinute: z.number(),
  endMinute: z.number(),
  days: z.array(z.enum(DAYS)),
  zone: z.string().nullable(),
})

const PlaybackLimitsRow = z.strictObject({
  profileId: z.string(),
  accountId: z.string(),
  accountStreams: z.number().nullable(),
  accountKbps: z.number().nullable(),
  profileStreams: z.number().nullable(),
  profileKbps: z.number().nullable(),
  accountWindows: z.array(TimeWindowRow),
  profileWindows: z.array(TimeWindowRow),
})

/** The active schedules of a profile. */
const windowsOf = (profileId: FragmentSqlToken) => sql.fragment`
  coalesce((
    select jsonb_agg(
      jsonb_build_object('startMinute', s.start_minute, 'endMinute', s.end_minute, 'days', s.days, 'zone', s.zone) order by s.id)
    from profile_schedules s where s.profile_id = ${profileId} and s.is_active), '[]')`

/**
 * The playback limits of profiles. The schedules of the main profile, whose id is that of the account, apply to all profiles of the account.
 * @param input.zone of schedules without a zone
 * @param input.earlier earlier limits, by profile: the computed times of unchanged schedules are reused
 */
export async function selectPlaybackLimits(
  connection: Connection,
  {
    profileIds,
    zone,
    earlier,
  }: {
    profileIds: readonly string[]
    zone: string
    earlier?: Pick<ReadonlyMap<string, PlaybackLimits>, 'get'> | undefined
  },
): Promise<ReadonlyMap<string, PlaybackLimits>> {
  const rows = await connection.any(sql.type(PlaybackLimitsRow)`
    select r.id as profile_id, r.account_id, a.max_streams as account_streams, a.max_kbps as account_kbps,
      p.max_streams as profile_streams, p.max_kbps as profile_kbps,
      ${windowsOf(sql.fragment`r.account_id`)} as account_windows,
      case when r.is_main then '[]' else ${windowsOf(sql.fragment`r.id`)} end as profile_windows
    from profiles r
    left join stream_limits a on a.account_id = r.account_id
    left join stream_limits p on p.profile_id = r.id
    where r.id = any (${sql.array([...profileIds], 'uuid')})`)
  const inZone = (windows: z.infer<typeof TimeWindowRow>[]) =>
    windows.map((one) => ({ ...one, zone: one.zone ?? zone }))
  return new Map(
    rows.map(({ profileId, accountId, ...row }) => {
      const data = {
        profileId,
        accountId,
        schedules: { ofAccount: inZone(row.accountWindows), ofProfile: inZone(row.profileWindows) },
        ofAccount: { maxStreams: row.accountStreams, maxKbps: row.accountKbps },
        ofProfile: { maxStreams: row.profileStreams, maxKbps: row.profileKbps },
      }
      return [profileId, makePlaybackLimits(data, earlier?.get(profileId))]
    }),
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

const OwnedLimitsRow = LimitsRow.extend({ ownerId: z.string() })

/** The limits of several accounts, or of several profiles; those without limits are missing. */
export async function selectStreamLimitsOf(
  connection: Connection,
  { kind, ids }: { kind: 'account' | 'profile'; ids: readonly string[] },
): Promise<readonly z.infer<typeof OwnedLimitsRow>[]> {
  const owner = kind === 'account' ? sql.fragment`account_id` : sql.fragment`profile_id`
  return connection.any(sql.type(OwnedLimitsRow)`
    select ${owner} as owner_id, max_streams, max_kbps from stream_limits where ${owner} = any (${sql.array([...ids], 'uuid')})`)
}

export async function replaceStreamLimits(
  connection: Connection,
  { owner, maxStreams, maxKbps }: StreamLimits & { owner: LimitsOwner },
): Promise<void> {
  if (maxStreams === null && maxKbps === null) {
    await connection.query(sql.unsafe`delete from stream_limits where ${isOf(owner)}`)
    return
  }
  const [accountId, profileId] = 'accountId' in owner ? [owner.accountId, null] : [null, owner.profileId]
  const key = 'accountId' in owner ? sql.fragment`account_id` : sql.fragment`profile_id`
  await connection.query(sql.unsafe`
    insert into stream_limits (account_id, profile_id, max_streams, max_kbps)
    values (${accountId}, ${profileId}, ${maxStreams}, ${maxKbps})
    on conflict (${key}) do update set max_streams = excluded.max_streams, max_kbps = excluded.max_kbps`)
}

function isOf(owner: LimitsOwner) {
  return 'accountId' in owner
    ? sql.fragment`account_id = ${owner.accountId}`
    : sql.fragment`profile_id = ${owner.profileId}`
}
