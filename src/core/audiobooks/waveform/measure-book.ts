import { readFile, rm } from 'node:fs/promises'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { BookFile } from '../book-files.ts'
import { audiobookErrors } from '../errors.ts'
import { ENVELOPE_HERTZ, computeWaveformPoints, type LoudnessEnvelope } from './waveform-points.ts'

/** A complete book. Its files have been proven to belong to the library. */
export type MeasuredBook = { files: readonly BookFile[]; durationSeconds: number }

/** Low priority, because no request waits for the result. */
const NICENESS = 15

/** A machine slower than this cannot play the book. */
const SLOWEST_TIMES_REALTIME = 10
const MIN_TIME_LIMIT_SECONDS = 60

/** 180 hours. */
const MAX_ENVELOPE_BYTES = 64 * 1024 * 1024

/** One channel, rectified, and resampled so that each sample is the loudness around it. Measured: an hour of AAC in 3 s. */
const ENVELOPE = [
  'aformat=channel_layouts=mono:sample_rates=8000:sample_fmts=flt',
  'aeval=exprs=abs(val(0))',
  `aresample=${ENVELOPE_HERTZ}:filter_size=64`,
].join(',')

/**
 * Measures all files of a book, one after the other.
 * @param input.draft a writable path; the file is deleted afterwards
 * @throws AppError `waveform_unavailable`, `tool_missing`; the reason of the signal if aborted
 */
export async function measureBook(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'encode'> },
  { book, draft }: { book: MeasuredBook; draft: string },
  signal: AbortSignal,
): Promise<number[]> {
  const envelopes: LoudnessEnvelope[] = []
  try {
    for (const { path, startSeconds, endSeconds } of book.files) {
      const { isComplete, fault, stderrTail } = await mediaTools.encode(
        { input: path, output: draft, after: ['-map', '0:a:0', '-af', ENVELOPE, ...OUTPUT] },
        { signal, niceness: NICENESS, timeoutSeconds: timeLimitOf(endSeconds - startSeconds) },
      )
      signal.throwIfAborted()
      if (!isComplete) throw audiobookErrors.waveform_unavailable({ cause: new Error(fault?.text ?? stderrTail) })
      const bytes = await readFile(draft)
      envelopes.push({ startSeconds, samples: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) })
    }
  } finally {
    await rm(draft, { force: true })
  }
  return computeWaveformPoints(envelopes, book.durationSeconds)
}

const OUTPUT = ['-c:a', 'pcm_s8', '-fs', String(MAX_ENVELOPE_BYTES), '-f', 's8']

function timeLimitOf(seconds: number): number {
  return MIN_TIME_LIMIT_SECONDS + seconds / SLOWEST_TIMES_REALTIME
}
