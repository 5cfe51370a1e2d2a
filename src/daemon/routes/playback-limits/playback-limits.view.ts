import type { AccessRule } from '../../../core/access/index.ts'
import { timeText, type Schedule } from '../../../core/playback-limits/index.ts'

export function scheduleView({ id, name, startMinute, endMinute, days, zone, isActive }: Schedule) {
  return {
    id,
    name,
    start_time: timeText(startMinute),
    end_time: timeText(endMinute),
    days_of_week: [...days],
    time_zone: zone,
    is_active: isActive,
  }
}

/** The tags of a rule. Their ids are for addresses. */
export function tagsView({ blockedTags, allowedTags }: AccessRule) {
  const rowsOf = (type: string, tags: readonly string[]) =>
    tags.map((tag) => ({ id: `${type}:${tag}`, tag, tag_type: type }))
  return [...rowsOf('blocked', blockedTags), ...rowsOf('allowed', allowedTags.flat())]
}
