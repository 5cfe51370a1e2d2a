import { join } from 'node:path'
import { startTool, type Isolation } from '../spawn/index.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments, segmentPattern } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { requireStarted } from './tool-presence.ts'

/** Pieces of one input file, written one after the other. Both paths are absolute. */
export type SegmenterArguments = {
  input: string
  /** Existing folder for the pieces. */
  folder: string
  /** Words of the input: seeking, offsets. */
  before: readonly string[]
  /** Words of the output: maps, filters, codecs, and the cuts of ffmpeg's segment muxer. */
  after: readonly string[]
}

export type SegmenterOptions = {
  /** 0 to 19; how much the encoder steps back for others. */
  niceness: number
  /** Called with the number of each piece that ffmpeg has finished writing. */
  onPiece: (number: number) => void
}

export type SegmenterEnd = {
  exitCode: number | null
  signal: string | null
  stderrTail: string
  /** Ended by itself with exit code 0 and without a word about its files. */
  isComplete: boolean
  fault: FileFault | null
}

/** A running encoder of pieces; it is stopped and continued as its pieces are wanted. */
export type Segmenter = {
  /** @throws AppError `tool_missing` */
  readonly ended: Promise<SegmenterEnd>
  /** What ffmpeg has said about its files so far; a piece that was listed before is good when this is null afterwards. */
  fault(): FileFault | null
  pause(): void
  resume(): void
  kill(): void
}

/** Each piece is told on stdout when it is whole: nobody waits for the next one to appear. */
const LISTED_PIECES = '-f segment -segment_format mpegts -segment_list pipe:1 -segment_list_type csv'.split(' ')

const PIECE_LINE = /^(\d{5,9})\.ts,/

/** Where a segmenter writes the piece of a number. */
export function piecePath(folder: string, number: number): string {
  return join(folder, `${number.toString().padStart(5, '0')}.ts`)
}

/** See `MediaTools.startSegmenter`. */
export function startSegmenter(
  ffmpeg: { program: string; quiet: readonly string[]; isolation: Isolation },
  { input, folder, before, after }: SegmenterArguments,
  { niceness, onPiece }: SegmenterOptions,
): Segmenter {
  const tool = startTool({
    program: ffmpeg.program,
    arguments: [
      ...ffmpeg.quiet,
      '-y',
      ...before,
      ...inputArguments(input),
      ...after,
      ...LISTED_PIECES,
      segmentPattern(folder),
    ],
    niceness,
    isolation: ffmpeg.isolation,
    onLine: (line) => {
      const number = PIECE_LINE.exec(line)?.[1]
      if (number !== undefined) onPiece(Number(number))
    },
  })
  const fault = (): FileFault | null => findFileFault(tool.stderrTail(), [input, folder])
  const ended = tool.ended.then(({ outcome, exitCode, signal, stderrTail }) => {
    requireStarted('ffmpeg', ffmpeg.program, { outcome, exitCode, signal, stderrTail })
    const said = withoutDecoderLists(stderrTail)
    return { exitCode, signal, stderrTail: said, fault: fault(), isComplete: exitCode === 0 && fault() === null }
  })
  return { ended, fault, pause: () => tool.pause(), resume: () => tool.resume(), kill: () => tool.kill() }
}
