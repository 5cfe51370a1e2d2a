import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { ContinuityCounters } from './continuity-counters.ts'
import type { Rendition } from './rendition.ts'
import { findSegmentFault } from './segment-check.ts'
import type { StreamJob } from './stream-job.ts'
import { STREAM_PACKET_BYTES, TransportStreamReader, type TransportStream } from './transport-stream.ts'

/** Read at a time: a few milliseconds of work, whatever the size of the segment. */
const PART_BYTES = 4096 * STREAM_PACKET_BYTES

export type Publication = {
  job: StreamJob
  rendition: Rendition
  index: number
  /** The piece that an encoder wrote, and the segment's place. */
  piece: string
  target: string
  /** Called when all is written and read, just before it is shown; throws where something has come up meanwhile. */
  approve: () => void
}

/**
 * Checks a piece, counts its packets so that any segment may follow any other, brings it onto the disk and shows it
 * under its name in one step: what is visible is whole for ever. The piece is gone afterwards.
 * @returns what is wrong with it, or undefined when it is there
 */
export async function publishSegment(publication: Publication): Promise<string | undefined> {
  const { piece, target } = publication
  const draft = `${piece}.whole`
  try {
    await using source = await open(piece, 'r')
    const stream = await readStream(source)
    const fault = findSegmentFault(stream, publication)
    if (fault !== undefined || stream === undefined) return fault ?? 'it is not a transport stream'
    await writeNeutral(source, { stream, draft })
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

async function writeNeutral(
  source: FileHandle,
  { stream, draft }: { stream: TransportStream; draft: string },
): Promise<void> {
  const counters = new ContinuityCounters(stream.counts)
  await using target = await open(draft, 'wx', 0o600)
  // Not writev: on a full disk it writes a part and says so by a number.
  for await (const part of partsOf(source)) await target.writeFile(Buffer.concat(counters.push(part)))
  await target.sync()
}

/** The bytes of a file in order, each part valid until the next is asked for; others get their turn in between. */
async function* partsOf(source: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PART_BYTES)
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, PART_BYTES, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
