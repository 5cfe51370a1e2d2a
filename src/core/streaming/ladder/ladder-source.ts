import type { Bandwidth } from './bit-rates.ts'

/** The properties of a source that determine the ladder. Sizes are as displayed; null means unknown. */
export type LadderSource = Readonly<{
  width: number | null
  height: number | null
  /** Bits per second of the video. */
  bitrate: number | null
  /** Average, for example `24000/1001`. */
  frameRate: string | null
  videoCodec: string | null
  /** Video profile in the notation of ffprobe: `High`. */
  videoProfile: string | null
  /** Times ten: 40. */
  videoLevel: number | null
  pixelFormat: string | null
  /** Rotation that players have to apply. A transport stream cannot carry it. */
  rotationDegrees: number
  hasAudio: boolean
  audioCodec: string | null
  /** Audio profile in the notation of ffprobe: `LC`. */
  audioProfile: string | null
  audioBitrate: number | null
  audioChannels: number | null
  /** Whether there are audio tracks besides the played one; false if unknown. */
  hasAdditionalAudio: boolean
  /** Whether segments can begin with its key frames; null if the key frames have not been read yet. */
  isCuttable: boolean | null
  /** Bit rates of copied segments; null if the packets are unknown. */
  copiedRates: Bandwidth | null
}>
