import { extname } from 'node:path'
import type { ProbedFile, ProbedStream } from '../probed-file.ts'
import type { AudioTags } from '../tags/audio-tags.ts'

/** Returns the only audio stream of an audio file as ffprobe would describe it. */
export function probedFileFromTags({ sound, chapters, pictures }: AudioTags, path: string): ProbedFile {
  const streams: ProbedStream[] = [
    {
      ...EMPTY_STREAM,
      type: 'audio',
      codec: sound.codec,
      bitrate: sound.bitrate,
      channels: sound.channels,
      isDefault: true,
      sampleRate: sound.sampleRateHz,
    },
    ...pictures.map((_, position) => ({ ...EMPTY_STREAM, index: position + 1, type: 'attachment' as const })),
  ]
  return {
    durationSeconds: sound.durationSeconds,
    container: extname(path).slice(1).toLowerCase(),
    bitrate: sound.bitrate,
    streams,
    chapters,
    source: null,
  }
}

const EMPTY_STREAM: ProbedStream = {
  index: 0,
  type: 'audio',
  codec: null,
  language: null,
  title: null,
  bitrate: null,
  width: null,
  height: null,
  channels: null,
  isDefault: false,
  isForced: false,
  isHearingImpaired: false,
  profile: null,
  level: null,
  pixelFormat: null,
  frameRate: null,
  channelLayout: null,
  sampleRate: null,
  startSeconds: null,
}
