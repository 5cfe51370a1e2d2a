import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import { lockAccountProfiles, type Profile } from '../profiles/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { playbackLimitErrors } from './errors.ts'
import { replaceStreamLimits, selectStreamLimits, type LimitsOwner } from './queries/limits.ts'
import {
  deleteSchedule,
  deleteSchedulesOf,
  insertSchedule,
  selectSchedules,
  updateSchedule,
} from './queries/schedules.ts'
import { mergeSchedule, NEW_SCHEDULE, type Schedule, type ScheduleFields } from './schedule.ts'
import { NO_STREAM_LIMITS, type StreamLimits } from './playback-limits.ts'

type Dependencies = { db: Database; events: Pick<EventBus, 'publish'> }
type OfProfile = { profile: Pick<Profile, 'id' | 'accountId'> }

const MAX_SCHEDULES = 20
const MAX_STREAMS = 100
const KBPS = { min: 100, max: 1_000_000 }

/** The schedules of a profile, the oldest first. */
export async function listSchedules(
  { db }: Pick<Dependencies, 'db'>,
  { profile }: OfProfile,
): Promise<readonly Schedule[]> {
  return selectSchedules(db, profile.id)
}

/**
 * Adds a schedule to a profile. It takes effect at once, even for running streams.
 * @throws AppError `invalid_schedule`, `too_many_schedules`
 */
export async function addSchedule(
  { db, clock, events }: Dependencies & { clock: Clock },
  { profile, fields }: OfProfile & { fields: ScheduleFields },
): Promise<Schedule> {
  const row = mergeSchedule(NEW_SCHEDULE, fields)
  const schedule = await db.transaction(async (connection) => {
    // The lock prevents concurrent requests from exceeding the number.
    await lockAccountProfiles(connection, profile.accountId)
    const schedules = await selectSchedules(connection, profile.id)
    if (schedules.length >= MAX_SCHEDULES) throw playbackLimitErrors.too_many_schedules()
    return insertSchedule(connection, { ...row, profileId: profile.id, now: clock.now() })
  })
  events.publish('account.changed', { accountId: profile.accountId })
  return schedule
}

/**
 * Changes a schedule of a profile.
 * @throws AppError `invalid_schedule`, `schedule_not_found`
 */
export async function changeSchedule(
  { db, events }: Dependencies,
  { profile, id, fields }: OfProfile & { id: string; fields: ScheduleFields },
): Promise<Schedule> {
  const schedule = await db.transaction(async (connection) => {
    await lockAccountProfiles(connection, profile.accountId)
    const schedules = await selectSchedules(connection, profile.id)
    const before = schedules.find((one) => one.id === id.toLowerCase())
    if (before === undefined) throw playbackLimitErrors.schedule_not_found()
    return updateSchedule(connection, { ...mergeSchedule(before, fields), id: before.id, profileId: profile.id })
  })
  if (schedule === undefined) throw playbackLimitErrors.schedule_not_found()
  events.publish('account.changed', { accountId: profile.accountId })
  return schedule
}

/**
 * Deletes a schedule of a profile. Without active schedules a profile may play at any time.
 * @throws AppError `schedule_not_found`
 */
export async function removeSchedule(
  { db, events }: Dependencies,
  { profile, id }: OfProfile & { id: string },
): Promise<void> {
  const isDeleted = isRowId(id) && (await deleteSchedule(db, { profileId: profile.id, id }))
  if (!isDeleted) throw playbackLimitErrors.schedule_not_found()
  events.publish('account.changed', { accountId: profile.accountId })
}

/**
 * Replaces all schedules of a profile as a part of another change. Requires a transaction, after which the caller publishes `account.changed`:
 * they take effect at once, even for running streams.
 * @throws AppError `invalid_schedule`, `too_many_schedules`
 */
export async function writeSchedules(
  connection: Connection,
  { profile, schedules, now }: OfProfile & { schedules: readonly ScheduleFields[]; now: Date },
): Promise<void> {
  checkSchedules(schedules)
  await lockAccountProfiles(connection, profile.accountId)
  await deleteSchedulesOf(connection, profile.id)
  for (const fields of schedules) {
    await insertSchedule(connection, { ...mergeSchedule(NEW_SCHEDULE, fields), profileId: profile.id, now })
  }
}

/**
 * Checks schedules before anything is changed.
 * @throws AppError `invalid_schedule`, `too_many_schedules`
 */
export function checkSchedules(schedules: readonly ScheduleFields[]): void {
  if (schedules.length > MAX_SCHEDULES) throw playbackLimitErrors.too_many_schedules()
  for (const fields of schedules) mergeSchedule(NEW_SCHEDULE, fields)
}

/** Reads how much an account or a profile may play at a time. */
export async function readStreamLimits({ db }: Pick<Dependencies, 'db'>, owner: LimitsOwner): Promise<StreamLimits> {
  return (await selectStreamLimits(db, owner)) ?? NO_STREAM_LIMITS
}

type LimitsChange = {
  owner: LimitsOwner
  /** The account, also that of the profile. */
  accountId: string
  changes: Partial<StreamLimits>
}

/**
 * Changes how much an account or a profile may play at a time; limits that are not named stay.
 * @throws AppError `invalid_stream_limits`
 */
export async function setStreamLimits({ db, events }: Dependencies, change: LimitsChange): Promise<StreamLimits> {
  const limits = await db.transaction((connection) => writeStreamLimits(connection, change))
  events.publish('account.changed', { accountId: change.accountId })
  return limits
}

/**
 * The same as a part of another change. Requires a transaction, after which the caller publishes `account.changed`.
 * @throws AppError `invalid_stream_limits`
 */
export async function writeStreamLimits(
  connection: Connection,
  { owner, accountId, changes }: LimitsChange,
): Promise<StreamLimits> {
  checkStreamLimits(changes)
  await lockAccountProfiles(connection, accountId)
  const merged = { ...NO_STREAM_LIMITS, ...(await selectStreamLimits(connection, owner)), ...changes }
  await replaceStreamLimits(connection, { owner, ...merged })
  return merged
}

/**
 * Checks limits before anything is changed.
 * @throws AppError `invalid_stream_limits`
 */
function checkStreamLimits({ maxStreams = null, maxKbps = null }: Partial<StreamLimits>): void {
  if (isWithin(maxStreams, { min: 1, max: MAX_STREAMS }) && isWithin(maxKbps, KBPS)) return
  throw playbackLimitErrors.invalid_stream_limits({
    message: `streams: 1 to ${MAX_STREAMS}, for example 2; bandwidth: ${KBPS.min} to ${KBPS.max} kbit/s, for example 8000`,
  })
}

function isWithin(value: number | null, { min, max }: { min: number; max: number }): boolean {
  return value === null || (Number.isInteger(value) && value >= min && value <= max)
}
