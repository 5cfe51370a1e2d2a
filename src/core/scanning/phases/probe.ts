import { stat } from 'node:fs/promises'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { mediaToolErrors } from '../../platform/media-tools/index.ts'
import { probeFile } from '../../probing/index.ts'
import { hashEnds } from '../content-hash.ts'
import { mapInOrder } from '../map-in-order.ts'
import type { IdentifiedFile, ProbedCandidate, ProbeOutcome, FolderEvent } from '../scan-event.ts'
import type { Scan } from '../scan.ts'

/** ffprobe starts slowly and reads little: two at a time use what there is without slowing playback down. */
const CONCURRENT_PROBES = 2

/** Looks into each file with ffprobe, which media-tools stops after 30 s. A file that cannot be read is an outcome; a missing ffprobe ends the job. */
export function probe(
  scan: Scan,
  events: AsyncIterable<IdentifiedFile | FolderEvent>,
): AsyncIterable<ProbedCandidate | FolderEvent> {
  return mapInOrder(events, {
    concurrency: CONCURRENT_PROBES,
    map: async (event) => (event.kind !== 'file' ? event : { ...event, outcome: await look(scan, event) }),
  })
}

async function look({ services, signal }: Scan, { root, path }: IdentifiedFile): Promise<ProbeOutcome> {
  signal.throwIfAborted()
  try {
    const file = await probeFile(services, path, signal)
    return { kind: 'probed', file, contentHash: await hashEnds(root, path) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError && error.code === mediaToolErrors.tool_missing.definition.code) throw error
    if (await isGone(path)) return { kind: 'gone' }
    return {
      kind: 'unreadable',
      code: error instanceof AppError ? error.code : (systemErrorCode(error) ?? 'unknown'),
      reason: describeError(error),
    }
  }
}

async function isGone(path: string): Promise<boolean> {
  try {
    await stat(path)
    return false
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT'
  }
}
