import type { Readable } from 'node:stream'
import type { LargeBodyPace } from './large-body-pace.ts'

/** The bytes of a body that are dropped before it waits. */
const BURST_BYTES = 128 * 1024

/**
 * Reads and drops the body of a refused request, so that the client can read the answer. All bodies that are dropped share the pace. Ends
 * without an error if the client goes away.
 */
export async function dropBody(body: Readable, pace: LargeBodyPace): Promise<void> {
  let droppedBytes = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      droppedBytes += piece.length
      if (droppedBytes < BURST_BYTES) continue
      await pace.waitFor('dropped', droppedBytes)
      droppedBytes = 0
    }
  } catch {
    // The connection is closed.
  }
}
