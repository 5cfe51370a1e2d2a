import type { Rendition } from '../job/rendition.ts'

/** The encoders that make segments, by their names in ffmpeg: video with its audio, copied video, and audio alone. */
export const SEGMENT_ENCODERS = ['libx264', 'copy', 'aac'] as const

export type SegmentEncoder = (typeof SEGMENT_ENCODERS)[number]

/** A process that was started. `abandoned`: it was ended before its first segment, because no caller waited any longer. */
export type EncoderStart = Readonly<{ encoder: SegmentEncoder; result: 'made' | 'failed' | 'abandoned' }>

/** Returns the encoder of a rendition. */
export function encoderOf(rendition: Rendition): SegmentEncoder {
  if (rendition.kind === 'audio') return 'aac'
  return rendition.isCopy ? 'copy' : 'libx264'
}
