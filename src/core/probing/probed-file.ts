/** The contents of a media file, from its headers. Texts are safe to store: no NUL, no lone surrogates, bounded length. */
export type ProbedFile = {
  durationSeconds: number
  /** `mp4`, `mkv`, `webm`, `ts` …; detected from the content, not from the name. */
  container: string
  /** Bits per second of the whole file. */
  bitrate: number | null
  streams: ProbedStream[]
  chapters: ProbedChapter[]
  /** The played video and its audio; null for audio-only files. */
  source: SourceProfile | null
}

export type ProbedStream = {
  /** Position among all streams of the file, as ffmpeg counts. */
  index: number
  /** A cover picture is an attachment. */
  type: 'video' | 'audio' | 'subtitle' | 'attachment' | 'data'
  codec: string | null
  /** Language as the file states it: two or three letters, optionally with a region; null for `und`. */
  language: string | null
  title: string | null
  /** Bits per second. */
  bitrate: number | null
  /** Stored size, not displayed size. */
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
  /** For an audio stream: its first timestamp on the file's clock. */
  startSeconds: number | null
}

export type ProbedChapter = { startSeconds: number; endSeconds: number; title: string | null }

/** The properties of a film that determine its ladder and the encoder arguments. */
export type SourceProfile = {
  /** Displayed size: upright and with square pixels. */
  width: number
  height: number
  videoCodec: string | null
  /** Bits per second of the video; estimated from the whole file if not declared. */
  bitrate: number | null
  pixelFormat: string | null
  audioCodec: string | null
  hasAudio: boolean
  /** Stream indexes in the file. */
  videoStreamIndex: number
  audioStreamIndex: number | null
  videoProfile: string | null
  videoLevel: number | null
  /** Clockwise rotation in degrees: 0, 90, 180 or 270. The width and height above are after rotation. */
  rotationDegrees: number
  isInterlaced: boolean
  /** `smpte2084` (PQ) and `arib-std-b67` (HLG) are high dynamic range. */
  colorTransfer: string | null
  isHdr: boolean
  /** The exact average, `24000/1001`; null if unknown. */
  frameRate: string | null
  /** The base rate. If it differs from the average, the film has a variable rate or is interlaced. */
  baseFrameRate: string | null
  frameCount: number | null
  /** First timestamps on the file's clock, exact to the microsecond. */
  containerStartSeconds: number
  videoStartSeconds: number
  audioStartSeconds: number | null
  /** `LC`, `HE-AAC`. */
  audioProfile: string | null
  audioChannels: number | null
  audioSampleRate: number | null
  audioBitrate: number | null
}
