import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SEGMENT_BYTES, type ArchiveTable } from '../archive/format.ts'
import { copyOut, type StoredTable } from '../queries.ts'

/** Receives a segment of the text of a table, which is numbered from 1. */
export type TakeSegment = (content: Buffer, number: number) => Promise<void>

/**
 * Reads all rows of a table as text, in order, in segments of 4 MiB. The next segment is read while the previous one is processed.
 * @returns the description of the table, with the checksum of the whole text
 */
export async function exportTable(
  client: Client,
  table: StoredTable,
  { take, signal }: { take: TakeSegment; signal?: AbortSignal | undefined },
): Promise<ArchiveTable> {
  const hash = createHash('sha256')
  let [bytes, segments] = [0, 0]
  let taking: Promise<void> = Promise.resolve()
  const pass = async (chunks: readonly Buffer[]): Promise<void> => {
    const content = Buffer.concat(chunks)
    hash.update(content)
    bytes += content.length
    segments += 1
    await taking
    taking = take(content, segments)
    // Reported by the next `await`.
    taking.catch(() => {})
  }
  const rows = client.query(copyTo(copyOut(table)))
  let chunks: Buffer[] = []
  let collected = 0
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    signal?.throwIfAborted()
    chunks.push(chunk)
    collected += chunk.length
    if (collected < SEGMENT_BYTES) continue
    await pass(chunks)
    chunks = []
    collected = 0
  }
  if (collected > 0) await pass(chunks)
  await taking
  const { name, columns } = table
  return { name, columns, rows: rows.rowCount, bytes, sha256: hash.digest('hex'), segments }
}
