/** What is inside a media file, read from its headers. Texts are safe to store: no NUL, no lone surrogates, bounded length. */
export type ProbedFile = {
  durationSeconds: number
  /** `mp4`, `mkv`, `webm`, `ts` …; what the bytes are, not what the name says. */
  container: string
  /** Bits per second of the whole file. */
  bitrate: number | null
  streams: ProbedStream[]
  chapters: Chapter[]
  /** The picture that is played and its sound; null for files with sound only. */
  source: SourceProfile | null
}

export type ProbedStream = {
  /** Position among all streams of the file, as ffmpeg counts. */
  index: number
  /** A cover picture is an attachment. */
  type: 'video' | 'audio' | 'subtitle' | 'attachment' | 'data'
  codec: string | null
  /** As tagged: two or three letters, perhaps with a region; null for `und`. */
  language: string | null
  title: string | null
  /** Bits per second. */
  bitrate: number | null
  /** As stored, not as shown. */
  width: number | null
  height: number | null
  channels: number | null
  isDefault: boolean
  isForced: boolean
  isHearingImpaired: boolean
  profile: string | null
  level: number | null
  pixelFormat: string | null
  frameRate: string | null
  channelLayout: string | null
  sampleRate: number | null
  /** Of sound: its first time stamp on the file's own clock. */
  startSeconds: number | null
}

export type Chapter = { startSeconds: number; endSeconds: number; title: string | null }

/** Document 2, Source profile: what the ladder and the encoders of a film follow from. */
export type SourceProfile = {
  /** As shown: turned upright and with square pixels. */
  width: number
  height: number
  videoCodec: string | null
  /** Bits per second of the picture; worked out from the whole file where it is not told. */
  bitrate: number | null
  pixelFormat: string | null
  audioCodec: string | null
  hasAudio: boolean
  /** Which streams of the file these are. */
  videoStreamIndex: number
  audioStreamIndex: number | null
  videoProfile: string | null
  videoLevel: number | null
  /** Quarter turns clockwise, in degrees: 0, 90, 180 or 270. Width and height above are turned already. */
  rotationDegrees: number
  isInterlaced: boolean
  /** `smpte2084` (PQ) and `arib-std-b67` (HLG) are high dynamic range. */
  colorTransfer: string | null
  isHdr: boolean
  /** The exact average, `24000/1001`; null where it is not known. */
  frameRate: string | null
  /** The base rate, where it differs from the average the film has no constant rate, or is interlaced. */
  baseFrameRate: string | null
  frameCount: number | null
  /** First time stamps on the file's own clock, exact to the microsecond. */
  containerStartSeconds: number
  videoStartSeconds: number
  audioStartSeconds: number | null
  /** `LC`, `HE-AAC`. */
  audioProfile: string | null
  audioChannels: number | null
  audioSampleRate: number | null
  audioBitrate: number | null
}
