import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SEGMENT_BYTES, type ArchiveTable } from '../archive/format.ts'
import { copyOut, type StoredTable } from '../queries.ts'

/** Receives a segment of the text of a table, which is numbered from 1. The content is valid until the promise settles. */
export type TakeSegment = (content: Buffer, number: number) => Promise<void>

/** Memory for two segments: one is filled while the other one is processed. */
export type SegmentBuffers = readonly [Buffer, Buffer]

/** Allocated once for all tables: new buffers for each segment would stay in memory until the next garbage collection. */
export function allocateSegmentBuffers(): SegmentBuffers {
  return [Buffer.allocUnsafeSlow(SEGMENT_BYTES), Buffer.allocUnsafeSlow(SEGMENT_BYTES)]
}

/**
 * Reads all rows of a table as text, in order, in segments of 4 MiB. The next segment is read while the previous one is processed.
 * @returns the description of the table, with the checksum of the whole text
 */
export async function exportTable(
  client: Client,
  table: StoredTable,
  { buffers, take, signal }: { buffers: SegmentBuffers; take: TakeSegment; signal?: AbortSignal | undefined },
): Promise<ArchiveTable> {
  const hash = createHash('sha256')
  let [bytes, segments, filled] = [0, 0, 0]
  let taking: Promise<void> = Promise.resolve()
  const buffer = (): Buffer => buffers[segments % 2 === 0 ? 0 : 1]
  const pass = async (): Promise<void> => {
    const content = buffer().subarray(0, filled)
    hash.update(content)
    bytes += filled
    filled = 0
    segments += 1
    await taking
    taking = take(content, segments)
    // Reported by the next `await`.
    taking.catch(() => {})
  }
  const rows = client.query(copyTo(copyOut(table)))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    signal?.throwIfAborted()
    for (let position = 0; position < chunk.length;) {
      const copied = chunk.copy(buffer(), filled, position)
      position += copied
      filled += copied
      if (filled === SEGMENT_BYTES) await pass()
    }
  }
  if (filled > 0) await pass()
  await taking
  const { name, columns } = table
  return { name, columns, rows: rows.rowCount, bytes, sha256: hash.digest('hex'), segments }
}
