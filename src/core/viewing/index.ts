export {
  addSchedule,
  checkStreamLimits,
  changeSchedule,
  listSchedules,
  readStreamLimits,
  removeSchedule,
  setStreamLimits,
  writeStreamLimits,
} from './manage-viewing.ts'
export { selectViewingRules as findViewingRules } from './queries/rules.ts'
export { timeText, type Schedule, type ScheduleFields } from './schedule.ts'
export { createStreamSlots, type StreamSlots } from './stream-slots.ts'
export {
  isPlayableAt,
  maxKbpsOf,
  requireBandwidth,
  requireHours,
  type StreamLimits,
  type ViewingRule,
} from './viewing-rule.ts'
