/**
 * A place where the clock of a file jumps, in microseconds on that clock. A clock that jumps back somewhere tells no order: then every jump
 * of the file has a position, and they are told by their order.
 */
export type ClockJump = Readonly<{
  /** Frames and sound with later times stand behind the jump; of jumps with a position, when the last frame before it has been shown. */
  atMicroseconds: number
  /** By how much more than a frame; negative where it jumps back. */
  byMicroseconds: number
  /** Of the first key frame behind the jump, in bytes of the file; null where times tell the order. */
  position: number | null
}>

/**
 * Where the picture of a film begins and ends and where it can be cut, in microseconds on the file's own clock, less the jumps before each
 * place.
 */
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
  /** In order; none where not every frame was looked at. */
  jumps: readonly ClockJump[]
  /**
   * How many bytes lie from each of them to the next, in the order of decoding: at least those of the picture and of the sound that can be
   * copied beside it. Some containers only tell the sum of all their streams.
   */
  keyFrameBytes: readonly number[]
}>
