import type { Bandwidth } from './bit-rates.ts'

/** What the ladder looks at of a source: document 2, Source profile. Sizes as displayed; null is what is not known. */
export type LadderSource = Readonly<{
  width: number | null
  height: number | null
  /** Bits per second of the video. */
  bitrate: number | null
  /** Average, for example `24000/1001`. */
  frameRate: string | null
  videoCodec: string | null
  /** As ffprobe names it: `High`. */
  videoProfile: string | null
  /** Times ten: 40. */
  videoLevel: number | null
  pixelFormat: string | null
  /** How far players have to turn the picture, which a transport stream cannot tell them. */
  rotationDegrees: number
  hasAudio: boolean
  audioCodec: string | null
  /** As ffprobe names it: `LC`. */
  audioProfile: string | null
  audioBitrate: number | null
  audioChannels: number | null
  /** Whether there are sound tracks to choose from beside the played one; false where that is not known. */
  hasFurtherSound: boolean
  /** Whether its key frames are such that segments can begin with them; null while nobody has looked. */
  isCuttable: boolean | null
  /** Bits per second that copied segments take from the file; null where the packets are not known. */
  copiedRates: Bandwidth | null
}>
