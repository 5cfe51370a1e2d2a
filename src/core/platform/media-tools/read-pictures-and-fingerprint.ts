import { withTimeLimit } from '../concurrency/index.ts'
import type { Isolation, ToolExit } from '../spawn/index.ts'
import type { PictureRequest } from './analysis-arguments.ts'
import { collectFingerprint, streamPictures, monitorProgress, type PictureConsumer } from './analysis-outputs.ts'
import { withoutDecoderLists } from './decoders.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { startFilmReader, type FilmReader } from './film-reader.ts'
import { startStallTimer } from './stall-timer.ts'
import { requireToolStarted } from './tool-presence.ts'

export type AnalysisRequest = {
  /** Absolute path of the film. */
  input: string
  /** The pictures of the time line; null when they are not wanted. */
  pictures: (PictureRequest & PictureConsumer) | null
  /** The audio stream that is fingerprinted; null when none is wanted. */
  sound: { streamIndex: number } | null
}

export type AnalysisOptions = {
  /** Niceness of ffmpeg, 0 to 19. */
  niceness: number
  /** Time without progress after which ffmpeg is ended; default 60. There is no limit of the total time. */
  stallSeconds?: number
  signal?: AbortSignal | undefined
}

export type RunningAnalysis = {
  outcome: 'exited' | 'stalled' | 'aborted' | 'too_much_output'
  /** Null if ffmpeg was killed. */
  exitCode: number | null
  stderrTail: string
  fault: FileFault | null
  /** Whether ffmpeg exited with code 0 and reported no file error. */
  isComplete: boolean
  /** Number of pictures that were received. */
  pictures: number
  /** Chromaprint's raw hashes, 4 bytes each, little-endian; empty for very short sound, null when it is incomplete or not wanted. */
  fingerprint: Buffer | null
}

const STALL_SECONDS = 60

/** Maximum wait for the end of a killed program: a program that is blocked by a device ends much later. */
const KILLED_MILLISECONDS = 2000

/** See `MediaTools.readPicturesAndFingerprint`. */
export async function readPicturesAndFingerprint(
  {
    program,
    commonArguments,
    isolation,
  }: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  { input, pictures, sound }: AnalysisRequest,
  { niceness, stallSeconds = STALL_SECONDS, signal }: AnalysisOptions,
): Promise<RunningAnalysis> {
  if (signal?.aborted === true) return ABORTED_BEFORE
  const film = { input, pictures, sound: sound?.streamIndex ?? null }
  const tool = startFilmReader({ program, commonArguments, isolation, niceness }, film)
  let interruption: RunningAnalysis['outcome'] | undefined
  const interrupt = (reason: RunningAnalysis['outcome']): void => {
    interruption ??= reason
    tool.kill()
  }
  const timer = startStallTimer(stallSeconds * 1000, () => interrupt('stalled'))
  const onAbort = (): void => interrupt('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const reader = { timer, isInterrupted: () => interruption !== undefined, end: () => interrupt('too_much_output') }
    const [count, fingerprint] = await Promise.all([
      streamPictures(tool.pictures, pictures, reader),
      collectFingerprint(tool.fingerprint, reader),
      monitorProgress(tool.progress, reader),
    ])
    const end = interruption === undefined ? await tool.ended : await killed(tool)
    const outcome = interruption ?? 'exited'
    if (outcome === 'exited') requireToolStarted('ffmpeg', program, end)
    const fault = findFileFault(end.stderrTail, [input])
    const isComplete = outcome === 'exited' && end.exitCode === 0 && fault === null
    return {
      outcome,
      exitCode: end.exitCode,
      stderrTail: withoutDecoderLists(end.stderrTail),
      fault,
      isComplete,
      pictures: count,
      fingerprint: isComplete && sound !== null ? fingerprint : null,
    }
  } finally {
    timer.stop()
    signal?.removeEventListener('abort', onAbort)
    tool.kill()
  }
}

const ABORTED_BEFORE: RunningAnalysis = {
  outcome: 'aborted',
  exitCode: null,
  stderrTail: '',
  fault: null,
  isComplete: false,
  pictures: 0,
  fingerprint: null,
}

function killed(tool: FilmReader): Promise<ToolExit> {
  const onTimeout = (): ToolExit => ({ outcome: 'exited', exitCode: null, signal: null, stderrTail: tool.stderrTail() })
  return withTimeLimit(tool.ended, { milliseconds: KILLED_MILLISECONDS, onTimeout })
}
