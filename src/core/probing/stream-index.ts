/**
 * A jump of a file's clock, in microseconds on that clock. If the clock goes back anywhere, timestamps are ambiguous: then every jump of
 * the file has a position, and the jumps are identified by their order.
 */
export type ClockJump = Readonly<{
  /** Frames and audio with later timestamps follow the jump. For jumps with a position: the end of the last frame before it. */
  atMicroseconds: number
  /** Size of the jump in addition to one frame; negative if the clock goes back. */
  byMicroseconds: number
  /** File position of the first key frame after the jump, in bytes; null if timestamps are unambiguous. */
  position: number | null
}>

/** Start, end and possible cuts of a film's video, in microseconds on the file's clock, minus the preceding jumps. */
export type StreamIndex = Readonly<{
  /** Index of the stream in the file. */
  streamIndex: number
  firstMicroseconds: number
  /** End of the last frame. */
  endMicroseconds: number
  /** Null if unknown. */
  frameCount: number | null
  /** Whether all frames have the same duration. */
  hasConstantRate: boolean
  /** Frames at which decoding can begin, ascending; empty if the file does not declare them. */
  keyFrameMicroseconds: readonly number[]
  /** The jumps of the clock, ordered by time; empty unless every packet was read. */
  jumps: readonly ClockJump[]
  /**
   * Number of bytes from each key frame to the next, in decoding order: at least the bytes of the video and of the audio that can be copied
   * with it. Some containers only show the sum of all streams.
   */
  keyFrameBytes: readonly number[]
}>
