export {
  addSchedule,
  checkStreamLimits,
  changeSchedule,
  listSchedules,
  readStreamLimits,
  removeSchedule,
  setStreamLimits,
  writeStreamLimits,
} from './manage-limits.ts'
export { selectPlaybackLimits as findPlaybackLimits } from './queries/limits.ts'
export { timeText, type Schedule, type ScheduleFields } from './schedule.ts'
export { createStreamSlots, type PlayedStream, type StreamSlots } from './stream-slots.ts'
export { maxKbpsOf, needsOfFile, requireKbps, type StreamNeeds } from './bandwidth.ts'
export { isPlayableAt, requireTimeWindow, type StreamLimits, type PlaybackLimits } from './playback-limits.ts'
