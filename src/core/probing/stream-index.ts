/** Where the picture of a film begins and ends and where it can be cut, in microseconds on the file's own clock. */
export type StreamIndex = Readonly<{
  /** Which stream of the file it is about. */
  streamIndex: number
  firstMicroseconds: number
  /** When the last frame has been shown. */
  endMicroseconds: number
  /** Null where the file tells it nowhere. */
  frameCount: number | null
  /** Whether all frames are shown equally long. */
  hasConstantRate: boolean
  /** Frames that decoding can begin with, ascending; none where the file does not say. */
  keyFrameMicroseconds: readonly number[]
}>
