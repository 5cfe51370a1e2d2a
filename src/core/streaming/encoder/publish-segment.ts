import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { ContinuityCounterRewriter } from './continuity-counter-rewriter.ts'
import { EncoderFailure } from './encoder-failure.ts'
import type { EncoderProcess } from './encoder-process.ts'
import { findSegmentDefect } from './find-segment-defect.ts'
import { STREAM_PACKET_BYTES, TransportStreamReader, type TransportStream } from './transport-stream.ts'
import type { RequestedSegment } from './requested-segment.ts'

/** Read size: a few milliseconds of work, for any size of segment. */
const PART_BYTES = 4096 * STREAM_PACKET_BYTES

/**
 * Checks a piece, rewrites its continuity counters so that any segment may follow any other, syncs it to disk and renames it atomically: a
 * visible segment is always complete. The piece is removed, even after a failure.
 * @param piece path of the file that the encoder wrote
 * @param encoder the encoder of the piece. Its report is read after everything is written, just before the rename.
 * @throws EncoderFailure for a piece with a fault, and for any piece if ffmpeg has reported a failure; errors of system calls
 */
export async function publishSegment(
  wanted: RequestedSegment,
  piece: string,
  encoder: Pick<EncoderProcess, 'reportedFailure'>,
): Promise<void> {
  const draft = `${piece}.whole`
  try {
    const fault = await writeDraft(wanted, { piece, draft })
    // ffmpeg's own message is more specific than the fault.
    const reportedFailure = encoder.reportedFailure()
    if (reportedFailure !== undefined) throw reportedFailure
    if (fault !== undefined) throw new EncoderFailure(`segment ${wanted.index}: ${fault}`)
    await rename(draft, wanted.path)
  } finally {
    await rm(draft, { force: true })
    await rm(piece, { force: true })
  }
}

/** @returns a description of the fault, in which case there is no draft; undefined on success */
async function writeDraft(
  { job, rendition, index }: RequestedSegment,
  { piece, draft }: { piece: string; draft: string },
): Promise<string | undefined> {
  await using source = await open(piece, 'r')
  const stream = await readStream(source)
  const fault = findSegmentDefect(stream, { job: job.plan, rendition, index })
  if (fault !== undefined || stream === undefined) return fault ?? 'it is not a transport stream'
  await writeWithCounters(source, { stream, draft })
  return undefined
}

async function readStream(source: FileHandle): Promise<TransportStream | undefined> {
  const reader = new TransportStreamReader()
  for await (const part of partsOf(source)) if (!reader.push(part)) return undefined
  return reader.end()
}

async function writeWithCounters(
  source: FileHandle,
  { stream, draft }: { stream: TransportStream; draft: string },
): Promise<void> {
  const counters = new ContinuityCounterRewriter(stream.counts)
  await using target = await open(draft, 'wx', 0o600)
  // writev is unsuitable: on a full disk it writes a part and reports only the number of bytes.
  for await (const part of partsOf(source)) await target.writeFile(Buffer.concat(counters.push(part)))
  await target.sync()
}

/** Yields the bytes of a file in order. Each part is valid until the next one is requested. Other work can run between parts. */
async function* partsOf(source: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PART_BYTES)
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, PART_BYTES, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
