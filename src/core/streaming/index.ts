export { type LadderCandidate } from './ladder/choose-ladder.ts'
export { measureCapacity, type RungCapacity } from './capacity/measure-capacity.ts'
export { chooseSubtitle } from './plan/choose-subtitle.ts'
export { DEVICE_PROFILE_NAMES, type DeviceProfileName } from './job/device-profiles.ts'
export { scheduleEncoderSelfTest } from './segments/encoder-self-test.ts'
export { streamingErrors } from './errors.ts'
export { startLoudnessMeasurement } from './loudness/loudness.ts'
export { explainItemLadder, previewLadder, type ExplainedLadder } from './plan/preview-ladder.ts'
export { listTranscodedItemsWithoutTrickplay } from './transcodes/trickplay-candidates.ts'
export { addImageStream, type ImageStream } from './playlist/image-stream.ts'
export { limitPlaylistBandwidth, variantBitRate } from './playlist/limit-playlist-bandwidth.ts'
export { readPlaylist } from './playlist/read-playlist.ts'
export { readStreamSubtitle } from './playlist/read-subtitle.ts'
export { type VideoRendition } from './job/rendition.ts'
export {
  MASTER_PLAYLIST_NAME,
  mediaPlaylistName,
  parseStreamFile,
  subtitleName,
  type StreamFile,
} from './job/segment-name.ts'
export {
  createSegmentServer,
  type SegmentResult,
  type SegmentRequest,
  type SegmentServer,
} from './segments/segment-server.ts'
export { SEGMENT_ENCODERS, type EncoderStart } from './encoder/encoder-start.ts'
export {
  countUnindexedFilms,
  ensureStreamIndex,
  needsStreamIndex,
  listUnindexedFilms,
  storeStreamIndexes,
} from './source/stream-index.ts'
export { type IndexWrite, type UnindexedItem } from './source/queries.ts'
export { listSegments } from './transcodes/list-segments.ts'
export { startTranscode, type TranscodeStartInput } from './transcodes/start-transcode.ts'
export { type CacheStats } from './cache/segment-cache.ts'
export { cancelTranscode } from './transcodes/cancel-transcode.ts'
export { listTranscodes, type TranscodeSummary } from './transcodes/list-transcodes.ts'
export { startStreamSweeps, sweepStreams } from './transcodes/sweep-streams.ts'
export { type StreamSubtitle } from './job/stream-plan.ts'
export { requireTranscodeJob, findJobItemId } from './job/job-lookup.ts'
export { dashResource, jobResource, type TranscodeJob } from './job/transcode-job.ts'
export {
  changeToneMapping,
  getToneMapping,
  listAccelerators,
  setPreferredAccelerator,
  type Accelerator,
  type ToneMapping,
} from './transcodes/transcoding-settings.ts'
export { getTranscodeProgress, type TranscodeProgress } from './transcodes/transcode-progress.ts'
