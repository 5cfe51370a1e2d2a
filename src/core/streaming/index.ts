export { type LadderStep } from './choose-ladder.ts'
export { chooseSubtitle } from './choose-subtitle.ts'
export { DEVICE_PROFILE_NAMES, type DeviceProfileName } from './device-profiles.ts'
export { testEncoderAtStart } from './encoder-test.ts'
export { streamingErrors } from './errors.ts'
export { startLoudnessMeasurement } from './loudness.ts'
export { explainItemLadder, previewLadder, type ExplainedLadder } from './preview-ladder.ts'
export { readPlaylist } from './read-playlist.ts'
export { readStreamSubtitle } from './read-subtitle.ts'
export { type VideoRendition } from './rendition.ts'
export { MASTER_PLAYLIST_NAME, mediaPlaylistName, parseStreamFile, subtitleName } from './segment-name.ts'
export { createSegmentServer, type SegmentRequest, type SegmentServer } from './segment-server.ts'
export { countUnindexed, ensureStreamIndex, isIndexed, listUnindexed, storeStreamIndexes } from './source-index.ts'
export { type IndexWrite, type UnindexedItem } from './queries.ts'
export { startTranscode, type TranscodeStartInput } from './start-transcode.ts'
export { type CacheStats } from './segment-cache.ts'
export {
  cancelTranscode,
  startStreamSweeps,
  listTranscodes,
  sweepStreams,
  type TranscodeSummary,
} from './transcode-cleanup.ts'
export { type StreamSubtitle } from './stream-job.ts'
export { dashResource, jobResource, type TranscodeJob } from './transcode-job.ts'
export {
  changeToneMapping,
  getToneMapping,
  listAccelerators,
  preferAccelerator,
  type Accelerator,
  type ToneMapping,
} from './transcoding-settings.ts'
export { transcodeProgress, type TranscodeProgress } from './transcode-progress.ts'
