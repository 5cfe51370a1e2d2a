import { defineErrors } from '../platform/errors/index.ts'

export const streamingErrors = defineErrors({
  not_transcodable: {
    kind: 'invalid',
    title: 'Item cannot be transcoded',
    doc: 'The item has no file, or its file has neither video nor audio, has video in a codec that is not decoded, or could not be read.',
  },
  subtitle_not_drawable: {
    kind: 'invalid',
    title: 'Subtitles cannot be burned into the video',
    doc: 'The item has no bitmap subtitles with this number; text subtitles are sent as separate files. Subtitles are burned into films of one file only.',
  },
  accelerator_unknown: {
    kind: 'invalid',
    title: 'Accelerator is not available',
    doc: 'The server does not encode with this accelerator; the list of accelerators has those that it uses.',
  },
  tone_mapping_unavailable: {
    kind: 'invalid',
    title: 'Tone mapping is not available',
    doc: 'The server does not support this kind of tone mapping; `zscale` and `none` are possible.',
  },
  hdr_output_unavailable: {
    kind: 'invalid',
    title: 'HDR output is not available',
    doc: 'Encoded streams have standard dynamic range; only original files keep a high dynamic range.',
  },
  transcode_job_not_found: {
    kind: 'not_found',
    title: 'Transcode job not found',
    doc: 'No transcode job has this id, or its directory no longer exists; starting the item again creates a new job.',
  },
  stream_file_not_found: {
    kind: 'not_found',
    title: 'Stream file not found',
    doc: 'A transcode job has no playlist or segment of this name.',
  },
  segment_busy: {
    kind: 'busy',
    title: 'Too many segments are being encoded',
    doc: 'Eight different segments are being encoded or wait to be encoded; repeat the request after Retry-After.',
  },
  disk_space_low: {
    kind: 'unavailable',
    title: 'Not enough free disk space',
    doc: 'The free space is below hls.min_disk_space_bytes even after old segments were removed; repeat the request after Retry-After.',
  },
  segment_failed: {
    kind: 'failed',
    title: 'Segment could not be encoded',
    doc: 'ffmpeg failed, exceeded its time limit or produced an invalid segment. The segment is encoded again after a few seconds at the earliest.',
  },
  dash_not_produced: {
    kind: 'not_found',
    title: 'DASH is not available',
    doc: 'There are no DASH manifests; use the HLS address of the job.',
  },
  streaming_stopped: {
    kind: 'unavailable',
    title: 'Streaming is stopping',
    doc: 'The process is stopping; repeat the request after Retry-After.',
  },
})
