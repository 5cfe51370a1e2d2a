import { defineErrors } from '../platform/errors/index.ts'

export const streamingErrors = defineErrors({
  not_transcodable: {
    kind: 'invalid',
    title: 'Item cannot be transcoded',
    doc: 'The item has no file, neither picture nor sound, its picture has a codec that is not decoded, or its file could not be read.',
  },
  subtitle_not_drawable: {
    kind: 'invalid',
    title: 'Subtitles cannot be drawn into the picture',
    doc: 'The item has no subtitles of pictures under this number; texts are sent beside the film. Subtitles are drawn into films of one file only.',
  },
  accelerator_unknown: {
    kind: 'invalid',
    title: 'Accelerator is not available',
    doc: 'The server does not encode with this accelerator; the list of accelerators has those that it uses.',
  },
  tone_mapping_unavailable: {
    kind: 'invalid',
    title: 'Tone mapping is not available',
    doc: 'The server does not map tones in this way; `zscale` and `none` are possible.',
  },
  hdr_output_unavailable: {
    kind: 'invalid',
    title: 'HDR output is not available',
    doc: 'Streams that are encoded have standard dynamic range; originals are played as they are.',
  },
  transcode_job_not_found: {
    kind: 'not_found',
    title: 'Transcode job not found',
    doc: 'No transcode job has this id, or its directory is gone; starting the item again makes a new one.',
  },
  stream_file_not_found: {
    kind: 'not_found',
    title: 'Stream file not found',
    doc: 'A transcode job has no playlist or segment of this name.',
  },
  segment_busy: {
    kind: 'busy',
    title: 'Too many segments are being encoded',
    doc: 'Eight different segments are being encoded or wait for it; ask again after Retry-After.',
  },
  disk_space_low: {
    kind: 'unavailable',
    title: 'Not enough free disk space',
    doc: 'The free space is below hls.min_disk_space_bytes even after old segments were removed; ask again after Retry-After.',
  },
  segment_failed: {
    kind: 'failed',
    title: 'Segment could not be encoded',
    doc: 'ffmpeg failed, ran too long or made a faulty segment. The segment is tried again a few seconds later at the earliest.',
  },
  dash_not_produced: {
    kind: 'not_found',
    title: 'DASH is not available',
    doc: 'DASH manifests are not made on demand; use the HLS address of the job.',
  },
  streaming_stopped: {
    kind: 'unavailable',
    title: 'Streaming is stopping',
    doc: 'The process is about to end; ask again after Retry-After.',
  },
})
