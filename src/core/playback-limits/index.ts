export {
  addSchedule,
  checkSchedules,
  changeSchedule,
  listSchedules,
  readStreamLimits,
  removeSchedule,
  setStreamLimits,
  writeSchedules,
  writeStreamLimits,
} from './manage-limits.ts'
export { listStoredLimits, type StoredLimits } from './stored-limits.ts'
export { selectPlaybackLimits as findPlaybackLimits } from './queries/limits.ts'
export { type Schedule, type ScheduleFields } from './schedule.ts'
export { readScheduleText, scheduleText } from './schedule-text.ts'
export { createStreamSlots, type PlayedStream, type StreamSlots } from './stream-slots.ts'
export { computeMaxKbps, computeFileStreamNeeds, requireBandwidth, type StreamNeeds } from './bandwidth.ts'
export { isPlayableAt, requireTimeWindow, type StreamLimits, type PlaybackLimits } from './playback-limits.ts'
