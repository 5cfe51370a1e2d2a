import { join } from 'node:path'
import { startTool, type Isolation } from '../spawn/index.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments, segmentPattern } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { requireToolStarted } from './tool-presence.ts'

/** Consecutive segments of one input file. Both paths are absolute. */
export type SegmenterArguments = {
  input: string
  /** Existing folder for the segments. */
  folder: string
  /** Arguments of the input: seeking, offsets. */
  before: readonly string[]
  /** Arguments of the output: maps, filters, codecs, and the split points of ffmpeg's segment muxer. */
  after: readonly string[]
}

export type SegmenterOptions = {
  /** Niceness of the encoder, 0 to 19. */
  niceness: number
  /** Called with the number of each segment that ffmpeg has completed. */
  onSegment: (number: number) => void
}

export type SegmenterExit = {
  exitCode: number | null
  signal: string | null
  stderrTail: string
  /** Whether ffmpeg exited with code 0 and reported no file error. */
  isComplete: boolean
  fault: FileFault | null
}

/** A running segment encoder. It is paused and resumed according to demand. */
export type Segmenter = {
  /** @throws AppError `tool_missing` */
  readonly ended: Promise<SegmenterExit>
  /** The file error that ffmpeg has reported so far. A segment that was listed before is valid if this is still null afterwards. */
  fault(): FileFault | null
  pause(): void
  resume(): void
  kill(): void
}

/** ffmpeg reports each completed segment on stdout, so that there is no need to wait for the next one. */
const SEGMENT_LIST_ARGUMENTS = '-f segment -segment_format mpegts -segment_list pipe:1 -segment_list_type csv'.split(
  ' ',
)

const SEGMENT_LINE = /^(\d{5,9})\.ts,/

/** The path of the segment with a number. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, `${number.toString().padStart(5, '0')}.ts`)
}

/** See `MediaTools.startSegmenter`. */
export function startSegmenter(
  ffmpeg: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  { input, folder, before, after }: SegmenterArguments,
  { niceness, onSegment }: SegmenterOptions,
): Segmenter {
  const tool = startTool({
    program: ffmpeg.program,
    arguments: [
      ...ffmpeg.commonArguments,
      '-y',
      ...before,
      ...inputArguments(input),
      ...after,
      ...SEGMENT_LIST_ARGUMENTS,
      segmentPattern(folder),
    ],
    niceness,
    isolation: ffmpeg.isolation,
    onLine: (line) => {
      const number = SEGMENT_LINE.exec(line)?.[1]
      if (number !== undefined) onSegment(Number(number))
    },
  })
  const fault = (): FileFault | null => findFileFault(tool.stderrTail(), [input, folder])
  const ended = tool.ended.then(({ outcome, exitCode, signal, stderrTail }) => {
    requireToolStarted('ffmpeg', ffmpeg.program, { outcome, exitCode, signal, stderrTail })
    const message = withoutDecoderLists(stderrTail)
    return { exitCode, signal, stderrTail: message, fault: fault(), isComplete: exitCode === 0 && fault() === null }
  })
  return { ended, fault, pause: () => tool.pause(), resume: () => tool.resume(), kill: () => tool.kill() }
}
