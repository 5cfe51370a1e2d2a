import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { DAYS } from '../time-windows.ts'
import type { Schedule } from '../schedule.ts'

const ScheduleRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  startMinute: z.number(),
  endMinute: z.number(),
  days: z.array(z.enum(DAYS)),
  zone: z.string().nullable(),
  isActive: z.boolean(),
})

const columns = sql.fragment`id, name, start_minute, end_minute, days, zone, is_active`

export async function selectSchedules(connection: Connection, profileId: string): Promise<readonly Schedule[]> {
  return connection.any(sql.type(ScheduleRow)`
    select ${columns} from profile_schedules where profile_id = ${profileId} order by created_at, id`)
}

const OwnedScheduleRow = ScheduleRow.extend({ profileId: z.string() })

/** The schedules of several profiles, the oldest first. */
export async function selectSchedulesOf(
  connection: Connection,
  profileIds: readonly string[],
): Promise<readonly { profileId: string; schedule: Schedule }[]> {
  const rows = await connection.any(sql.type(OwnedScheduleRow)`
    select profile_id, ${columns} from profile_schedules where profile_id = any (${sql.array([...profileIds], 'uuid')})
    order by created_at, days, start_minute, id`)
  return rows.map(({ profileId, ...schedule }) => ({ profileId, schedule }))
}

export async function deleteSchedulesOf(connection: Connection, profileId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from profile_schedules where profile_id = ${profileId}`)
}

export async function insertSchedule(
  connection: Connection,
  { profileId, now, ...row }: Omit<Schedule, 'id'> & { profileId: string; now: Date },
): Promise<Schedule> {
  return connection.one(sql.type(ScheduleRow)`
    insert into profile_schedules (profile_id, name, start_minute, end_minute, days, zone, is_active, created_at)
    values (${profileId}, ${row.name}, ${row.startMinute}, ${row.endMinute}, ${sql.array([...row.days], 'text')}, ${row.zone}, ${row.isActive},
      ${sql.timestamp(now)})
    returning ${columns}`)
}

/** Undefined if the profile has no such schedule. */
export async function updateSchedule(
  connection: Connection,
  { profileId, ...row }: Schedule & { profileId: string },
): Promise<Schedule | undefined> {
  const found = await connection.maybeOne(sql.type(ScheduleRow)`
    update profile_schedules set name = ${row.name}, start_minute = ${row.startMinute}, end_minute = ${row.endMinute},
      days = ${sql.array([...row.days], 'text')}, zone = ${row.zone}, is_active = ${row.isActive}
    where id = ${row.id} and profile_id = ${profileId} returning ${columns}`)
  return found ?? undefined
}

/** @returns whether the profile had the schedule */
export async function deleteSchedule(
  connection: Connection,
  { profileId, id }: { profileId: string; id: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from profile_schedules where id = ${id} and profile_id = ${profileId}`)
  return rowCount > 0
}
