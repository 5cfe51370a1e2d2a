import type { Schedule } from '../playback-limits/index.ts'
import { clockTime } from '../platform/time/index.ts'

/** A time window in which a profile may play. */
export function scheduleView({ id, name, startMinute, endMinute, days, zone, isActive }: Schedule) {
  return {
    id,
    name,
    start_time: clockTime(startMinute),
    end_time: clockTime(endMinute),
    days_of_week: [...days],
    time_zone: zone,
    is_active: isActive,
  }
}
