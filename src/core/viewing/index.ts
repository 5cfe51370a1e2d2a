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
export { createStreamSlots, type PlayedStream, type StreamSlots } from './stream-slots.ts'
export { maxKbpsOf, needsOfFile, requireKbps, type StreamNeeds } from './bandwidth.ts'
export { isPlayableAt, requireHours, type StreamLimits, type ViewingRule } from './viewing-rule.ts'
