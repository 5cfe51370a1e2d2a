import type { Config } from '../config/index.ts'
import type { Logger } from '../logging/index.ts'
import { createIsolation, runTool, type Isolation, type IsolationLimits, type ToolResult } from '../spawn/index.ts'
import { convertHeif } from './convert-heif.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments, outputPath } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { makeClip, type ClipOptions } from './make-clip.ts'
import { packets, type PacketFacts } from './packets.ts'
import { probe } from './probe.ts'
import { startSegmenter, type Segmenter, type SegmenterArguments, type SegmenterOptions } from './segmenter.ts'
import { takeFrame, takePicture, type FrameWish, type TakenPicture, type TakePictureOptions } from './take-picture.ts'
import { requireStarted, type ToolName } from './tool-presence.ts'
import { readVersion, type ToolVersion } from './tool-version.ts'

/** An output file; its path is absolute. */
type EncodeOutput = {
  output: string
  /** Words of the output: maps, filters, codecs, format. */
  after: readonly string[]
}

/** One output file made from one input file, whose path is absolute too. */
type EncodeArguments = EncodeOutput & {
  input: string
  /** Words of the input: seeking, offsets. */
  before?: readonly string[]
  /** Outputs that come out of the same reading. */
  further?: readonly EncodeOutput[]
}

type EncodeOptions = {
  timeoutSeconds: number
  signal?: AbortSignal | undefined
  /** 0 to 19; how much the encoder steps back for others. */
  niceness?: number
}

/** How an encoder ended. Only `isComplete` says that its file may be used, and then its content has still to be looked at. */
type EncodeResult = Omit<ToolResult, 'stdout'> & {
  /** Ended by itself with exit code 0 and without a word about its files. */
  isComplete: boolean
  fault: FileFault | null
}

/** The media programs of this machine; the only way to them. */
export type MediaTools = {
  /**
   * What ffprobe says about a file: its JSON with format, streams and chapters, unchecked. At most 30 s.
   * @throws AppError `unreadable_media`, `tool_missing`, `tool_failed`; the signal's reason when aborted
   */
  probe(path: string, signal?: AbortSignal): Promise<unknown>
  /**
   * Reads a whole file for the packets of one of its streams, in the order of decoding; none where the file is
   * damaged or packets have no times, undefined where that took too long.
   * @throws AppError `tool_missing`; the signal's reason when aborted
   */
  packets(
    path: string,
    options: { streamIndex: number | 'sound'; timeoutSeconds: number; signal?: AbortSignal | undefined },
  ): Promise<PacketFacts[] | undefined>
  /**
   * Runs ffmpeg from one file to another, or to several. What it does to the files is the result, never an exception.
   * @throws AppError `tool_missing`
   */
  encode(what: EncodeArguments, options: EncodeOptions): Promise<EncodeResult>
  /**
   * The bytes of a picture that is attached to a file. What is wrong with the file is the result, never an exception.
   * @throws AppError `tool_missing`
   */
  takePicture(from: { input: string; streamIndex: number }, options: TakePictureOptions): Promise<TakenPicture>
  /**
   * A frame of a film as JPEG, at most 1280 pixels wide: a key frame at or before a place, or the first bright one after it. What is
   * wrong with the file is the result, never an exception; `none`: there is no such frame.
   * @throws AppError `tool_missing`
   */
  takeFrame(wish: FrameWish, options: TakePictureOptions): Promise<TakenPicture>
  /**
   * A HEIF picture as JPEG by libheif's converter, in a folder where nothing else is: the path of what it made; undefined where it is not
   * installed or cannot. Paths are absolute.
   */
  convertHeif(paths: { input: string; folder: string }, timeoutSeconds: number): Promise<string | undefined>
  /**
   * Starts an ffmpeg that cuts its output into pieces and tells each one that is whole. What it does to its files is
   * told, never an exception.
   */
  startSegmenter(what: SegmenterArguments, options: SegmenterOptions): Segmenter
  /**
   * Makes a small film by itself: a moving test picture of 160x90 at 24000/1001 frames per second with a tone at
   * 44.1 kHz.
   * @throws AppError `tool_missing`, `tool_failed`
   */
  makeClip(output: string, options: ClipOptions): Promise<void>
  /** What is taken from the programs on this system; the first question blocks the thread for some 20 ms. */
  isolation(): IsolationLimits
  /** The version that a program prints of itself, asked once per process. @throws AppError `tool_missing`, `tool_failed` */
  version(tool: ToolName): Promise<ToolVersion>
}

/** Encoders print at this level; anything above would hide what `findFileFault` looks for. */
const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'error']

export type MediaToolsInput = {
  config: Config
  log: Logger
  /** What this system allows, unless said. */
  isolation?: Isolation
}

/** Binds the media programs to the configuration; starts nothing. */
export function createMediaTools({ config, log, isolation = createIsolation() }: MediaToolsInput): MediaTools {
  const programs = { ffmpeg: config.options['media.ffmpeg'], ffprobe: config.options['media.ffprobe'] }
  const ffmpeg = { program: programs.ffmpeg, quiet: QUIET, isolation }
  const ffprobe = { program: programs.ffprobe, isolation }
  const heif = { program: config.options['media.heif_convert'], isolation }
  const versions = new Map<ToolName, Promise<ToolVersion>>()
  const logger = log.child({ domain: 'media-tools' })
  return {
    probe: (path, signal) => probe({ ...ffprobe, log: logger }, path, signal),
    packets: (path, options) => packets(ffprobe, path, options),
    async encode({ input, before = [], further = [], ...first }, { timeoutSeconds, signal, niceness }) {
      const outputs = [first, ...further]
      const written = outputs.flatMap(({ after, output }) => [...after, outputPath(output)])
      const { stdout: _, ...result } = await runTool({
        program: programs.ffmpeg,
        arguments: [...QUIET, '-y', ...before, ...inputArguments(input), ...written],
        timeoutSeconds,
        signal,
        isolation,
        ...(niceness !== undefined && { niceness }),
      })
      requireStarted('ffmpeg', programs.ffmpeg, result)
      const fault = findFileFault(result.stderrTail, [input, ...outputs.map(({ output }) => output)])
      const stderrTail = withoutDecoderLists(result.stderrTail)
      return {
        ...result,
        stderrTail,
        fault,
        isComplete: result.outcome === 'exited' && result.exitCode === 0 && fault === null,
      }
    },
    takePicture: (from, options) => takePicture(ffmpeg, from, options),
    takeFrame: (wish, options) => takeFrame(ffmpeg, wish, options),
    convertHeif: (paths, timeoutSeconds) => convertHeif(heif, paths, timeoutSeconds),
    startSegmenter: (what, options) => startSegmenter(ffmpeg, what, options),
    makeClip: (output, options) => makeClip(ffmpeg, output, options),
    isolation: () => isolation.limits(),
    version(tool) {
      const version = versions.get(tool) ?? readVersion(tool, { program: programs[tool], isolation })
      versions.set(tool, version)
      // A program may be installed while we run: a failure is asked again.
      version.catch(() => versions.delete(tool))
      return version
    },
  }
}
