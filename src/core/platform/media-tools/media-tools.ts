import type { Config } from '../config/index.ts'
import type { Logger } from '../logging/index.ts'
import {
  createIsolation,
  findProgram,
  runTool,
  type Isolation,
  type IsolationLimits,
  type ToolResult,
} from '../spawn/index.ts'
import {
  readPicturesAndFingerprint,
  type RunningAnalysis,
  type AnalysisOptions,
  type AnalysisRequest,
} from './read-pictures-and-fingerprint.ts'
import {
  runEncodingBenchmark,
  type EncodingBenchmark,
  type BenchmarkArguments,
  type BenchmarkOptions,
} from './encoding-benchmark.ts'
import { convertHeif } from './convert-heif.ts'
import { countFrames, type DecodedFrames } from './count-frames.ts'
import { decodeAudio, type AudioDecodeRequest } from './decode-audio.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments, outputPath } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import {
  frameMetadata,
  type BackgroundOptions,
  type FrameMetadata,
  type FrameMetadataRequest,
} from './frame-metadata.ts'
import { listComponents, type ComponentKind } from './list-components.ts'
import { makeClip, type ClipOptions } from './make-clip.ts'
import { listPackets, type PacketFacts } from './list-packets.ts'
import { runProbe } from './run-probe.ts'
import { startSegmenter, type Segmenter, type SegmenterArguments, type SegmenterOptions } from './segmenter.ts'
import {
  extractFrame,
  extractPicture,
  type FrameRequest,
  type ExtractedPicture,
  type ExtractPictureOptions,
} from './extract-picture.ts'
import { requireToolStarted, type ToolName } from './tool-presence.ts'
import { readToolVersion, type ToolVersion } from './tool-version.ts'

/** An output file; its path is absolute. */
type EncodeOutput = {
  output: string
  /** Arguments of the output: maps, filters, codecs, format. */
  after: readonly string[]
}

/** One or more output files made from one input file; all paths are absolute. */
type EncodeArguments = EncodeOutput & {
  input: string
  /** Arguments of the input: seeking, offsets. */
  before?: readonly string[]
  /** Further outputs of the same run. */
  further?: readonly EncodeOutput[]
}

type EncodeOptions = {
  timeoutSeconds: number
  signal?: AbortSignal | undefined
  /** Niceness of the encoder, 0 to 19. */
  niceness?: number
}

/** How an encoder ended. The output may be used only if `isComplete`, and its content must still be verified. */
type EncodeResult = Omit<ToolResult, 'stdout'> & {
  /** Whether ffmpeg exited with code 0 and reported no file error. */
  isComplete: boolean
  fault: FileFault | null
}

/** The media programs of this machine. No other module starts them. */
export type MediaTools = {
  /**
   * Runs ffprobe on a file: its JSON with format, streams and chapters, not validated. At most 30 s.
   * @throws AppError `unreadable_media`, `tool_missing`, `tool_failed`; the signal's reason when aborted
   */
  probe(path: string, signal?: AbortSignal): Promise<unknown>
  /**
   * Reads the packets of one stream of a whole file, in decoding order. Empty when the file is damaged or packets have no times; undefined
   * when it took too long.
   * @throws AppError `tool_missing`; the signal's reason when aborted
   */
  listPackets(
    path: string,
    options: { streamIndex: number | 'sound'; timeoutSeconds: number; signal?: AbortSignal | undefined },
  ): Promise<PacketFacts[] | undefined>
  /**
   * Runs ffmpeg from one input to one or more outputs. File errors are part of the result, never exceptions.
   * @throws AppError `tool_missing`
   */
  encode(what: EncodeArguments, options: EncodeOptions): Promise<EncodeResult>
  /**
   * Extracts a picture that is attached to a file. File errors are part of the result, never exceptions.
   * @throws AppError `tool_missing`
   */
  extractPicture(
    from: { input: string; streamIndex: number },
    options: ExtractPictureOptions,
  ): Promise<ExtractedPicture>
  /**
   * Extracts a frame of a film as JPEG, at most 1280 pixels wide: the key frame at or before a position, or the first bright one after it.
   * File errors are part of the result, never exceptions; `none`: there is no such frame.
   * @throws AppError `tool_missing`
   */
  extractFrame(request: FrameRequest, options: ExtractPictureOptions): Promise<ExtractedPicture>
  /**
   * Decodes a HEIF picture to JPEG with libheif's converter into an empty folder.
   * @returns the path of the output; undefined when the program is not installed or failed. Paths are absolute
   */
  convertHeif(paths: { input: string; folder: string }, timeoutSeconds: number): Promise<string | undefined>
  /**
   * Decodes a range of a stream's sound: one channel, samples of -1 to 1. Shorter at the end of the file; undefined when ffmpeg failed.
   * @throws AppError `tool_missing`; the signal's reason when aborted
   */
  decodeAudio(request: AudioDecodeRequest, options: BackgroundOptions): Promise<Float32Array | undefined>
  /**
   * Runs filters over frames of a stream and returns the metadata that the filters set, for example the values of `signalstats`. Undefined
   * when ffmpeg failed.
   * @throws AppError `tool_missing`; the signal's reason when aborted
   */
  frameMetadata(request: FrameMetadataRequest, options: BackgroundOptions): Promise<FrameMetadata[] | undefined>
  /**
   * Starts an ffmpeg that splits its output into segments and reports each completed one. File errors are part of the result, never
   * exceptions.
   */
  startSegmenter(what: SegmenterArguments, options: SegmenterOptions): Segmenter
  /**
   * Reads a film once, in one process: a picture of 160x90 for every ten seconds, the fingerprint of its sound, or both. File errors are
   * part of the result, never exceptions.
   * @throws AppError `tool_missing`, `tool_failed`; the error of the consumer of pictures
   */
  readPicturesAndFingerprint(request: AnalysisRequest, options: AnalysisOptions): Promise<RunningAnalysis>
  /**
   * Generates a short film: a moving test picture at 24000/1001 frames per second with a tone at 44.1 kHz.
   * @throws AppError `tool_missing`, `tool_failed`; the signal's reason when aborted
   */
  makeClip(output: string, options: ClipOptions): Promise<void>
  /**
   * Encodes and measures the time. Unlike `encode` it can generate its picture. Failures of ffmpeg are part of the result, never
   * exceptions.
   * @throws AppError `tool_missing`, `tool_failed` when a restriction was refused
   */
  benchmark(what: BenchmarkArguments, options: BenchmarkOptions): Promise<EncodingBenchmark>
  /**
   * Decodes the video of a file (absolute path) and counts its frames. Failures of ffmpeg are part of the result, never exceptions.
   * @throws AppError `tool_missing`, `tool_failed` when a restriction was refused
   */
  countFrames(path: string, options: BenchmarkOptions): Promise<DecodedFrames>
  /** The file that is executed as ffmpeg, or the configured name if there is no such file. */
  ffmpegPath(): string
  /** The restrictions of the programs on this system. The first call blocks the thread for about 20 ms. */
  isolation(): IsolationLimits
  /**
   * The version that a program reports, read once per process.
   * @throws AppError `tool_missing`, `tool_failed`
   */
  version(tool: ToolName): Promise<ToolVersion>
  /**
   * The names of the filters, muxers or encoders of this ffmpeg, read once per process.
   * @throws AppError `tool_missing`, `tool_failed`
   */
  componentsOf(kind: ComponentKind): Promise<ReadonlySet<string>>
}

/** The log level of encoders. A higher one would hide the messages that `findFileFault` needs. */
const COMMON_ARGUMENTS = ['-hide_banner', '-nostdin', '-loglevel', 'error']

export type MediaToolsOptions = {
  config: Config
  log: Logger
  /** Default: the restrictions that this system supports. */
  isolation?: Isolation
}

/** Creates the media tools of a configuration; starts nothing. */
export function createMediaTools({ config, log, ...input }: MediaToolsOptions): MediaTools {
  const isolation = input.isolation ?? createIsolation({ dataDirectory: config.dataDirectory })
  const programs = { ffmpeg: config.options['media.ffmpeg'], ffprobe: config.options['media.ffprobe'] }
  const ffmpeg = { program: programs.ffmpeg, commonArguments: COMMON_ARGUMENTS, isolation }
  const ffprobe = { program: programs.ffprobe, isolation }
  const heif = { program: config.options['media.heif_convert'], isolation }
  const versions = new Map<ToolName, Promise<ToolVersion>>()
  const components = new Map<ComponentKind, Promise<ReadonlySet<string>>>()
  const logger = log.child({ domain: 'media-tools' })
  return {
    probe: (path, signal) => runProbe({ ...ffprobe, log: logger }, path, signal),
    listPackets: (path, options) => listPackets(ffprobe, path, options),
    async encode({ input, before = [], further = [], ...first }, { timeoutSeconds, signal, niceness }) {
      const outputs = [first, ...further]
      const written = outputs.flatMap(({ after, output }) => [...after, outputPath(output)])
      const { stdout: _, ...result } = await runTool({
        program: programs.ffmpeg,
        arguments: [...COMMON_ARGUMENTS, '-y', ...before, ...inputArguments(input), ...written],
        timeoutSeconds,
        signal,
        isolation,
        ...(niceness !== undefined && { niceness }),
      })
      requireToolStarted('ffmpeg', programs.ffmpeg, result)
      const fault = findFileFault(result.stderrTail, [input, ...outputs.map(({ output }) => output)])
      const stderrTail = withoutDecoderLists(result.stderrTail)
      return {
        ...result,
        stderrTail,
        fault,
        isComplete: result.outcome === 'exited' && result.exitCode === 0 && fault === null,
      }
    },
    extractPicture: (from, options) => extractPicture(ffmpeg, from, options),
    extractFrame: (request, options) => extractFrame(ffmpeg, request, options),
    decodeAudio: (request, options) => decodeAudio(ffmpeg, request, options),
    frameMetadata: (request, options) => frameMetadata(ffmpeg, request, options),
    convertHeif: (paths, timeoutSeconds) => convertHeif(heif, paths, timeoutSeconds),
    startSegmenter: (what, options) => startSegmenter(ffmpeg, what, options),
    readPicturesAndFingerprint: (request, options) => readPicturesAndFingerprint(ffmpeg, request, options),
    makeClip: (output, options) => makeClip(ffmpeg, output, options),
    benchmark: (what, options) => runEncodingBenchmark(ffmpeg, what, options),
    countFrames: (path, options) => countFrames(ffmpeg, path, options),
    ffmpegPath: () => findProgram(programs.ffmpeg) ?? programs.ffmpeg,
    isolation: () => isolation.limits(),
    version: (tool) => readOnce(versions, tool, () => readToolVersion(tool, { program: programs[tool], isolation })),
    componentsOf: (kind) => readOnce(components, kind, () => listComponents(kind, ffmpeg)),
  }
}

/** Failures are not cached: the program may be installed while the process runs. */
function readOnce<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read()
  known.set(key, value)
  value.catch(() => known.delete(key))
  return value
}
