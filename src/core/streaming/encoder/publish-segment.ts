import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { ContinuityCounters } from './continuity-counters.ts'
import type { Rendition } from '../job/rendition.ts'
import { findSegmentFault } from './segment-check.ts'
import type { StreamJob } from '../job/stream-job.ts'
import { STREAM_PACKET_BYTES, TransportStreamReader, type TransportStream } from './transport-stream.ts'

/** Read size: a few milliseconds of work, for any size of segment. */
const PART_BYTES = 4096 * STREAM_PACKET_BYTES

export type Publication = {
  job: StreamJob
  rendition: Rendition
  index: number
  /** The piece that an encoder wrote, and the path of the segment. */
  piece: string
  target: string
  /** Called when everything is written, just before the rename. Throws to reject the segment. */
  approve: () => void
}

/**
 * Checks a piece, rewrites its continuity counters so that any segment may follow any other, syncs it to disk and renames it atomically:
 * a visible segment is always complete. The piece is removed.
 * @returns a description of the fault, or undefined on success
 */
export async function publishSegment(publication: Publication): Promise<string | undefined> {
  const { piece, target } = publication
  const draft = `${piece}.whole`
  try {
    await using source = await open(piece, 'r')
    const stream = await readStream(source)
    const fault = findSegmentFault(stream, publication)
    if (fault !== undefined || stream === undefined) return fault ?? 'it is not a transport stream'
    await writeWithCounters(source, { stream, draft })
    publication.approve()
    await rename(draft, target)
    return undefined
  } finally {
    await rm(draft, { force: true })
    await rm(piece, { force: true })
  }
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
  const counters = new ContinuityCounters(stream.counts)
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
