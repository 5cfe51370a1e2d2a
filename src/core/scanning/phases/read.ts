import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { mediaToolErrors } from '../../platform/media-tools/index.ts'
import { probeFile, type ReaderPool, type Reading } from '../../probing/index.ts'
import { createTurnstile, type Turnstile } from '../turnstile.ts'
import { mapInOrder } from '../map-in-order.ts'
import type { FolderEvent, FoundFile, ReadFile, ReadOutcome } from '../scan-event.ts'
import type { Scan } from '../scan.ts'

/** Files under way: enough to keep every reader thread busy with full batches. */
const FILES_UNDER_WAY = 256

/** ffprobe starts slowly and reads little: two at a time use what there is without slowing playback down. */
const CONCURRENT_PROBES = 2

/**
 * Looks into each file: the readers' threads first; ffprobe, which media-tools stops after 30 s, where they are in doubt. A file that
 * cannot be read is an outcome; a missing ffprobe ends the job.
 */
export function read(
  scan: Scan,
  events: AsyncIterable<FoundFile | FolderEvent>,
): AsyncIterable<ReadFile | FolderEvent> {
  const probes = createTurnstile(CONCURRENT_PROBES)
  return mapInOrder(events, {
    concurrency: FILES_UNDER_WAY,
    map: async (event) => (event.kind === 'file' ? { ...event, outcome: await look(scan, event, probes) } : event),
  })
}

async function look(scan: Scan, file: FoundFile, probes: Turnstile): Promise<ReadOutcome> {
  scan.signal.throwIfAborted()
  const reading = await readWith(scan.services.readers, file)
  scan.signal.throwIfAborted()
  switch (reading.kind) {
    case 'gone':
      return reading
    case 'unreadable':
      return reading
    case 'read':
      return { ...reading, contentHash: Buffer.from(reading.contentHash) }
    case 'doubt':
      return probes.pass(() => askFfprobe(scan, file, reading))
  }
}

function readWith(readers: ReaderPool, { root, path, sizeBytes, planned }: FoundFile): Promise<Reading> {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const sidecars = planned.sidecars.map((name) => `${folder}/${name}`)
  return readers.read({ root, path, as: planned.as, sizeBytes, sidecars })
}

async function askFfprobe(
  { services, signal }: Scan,
  { path }: FoundFile,
  reading: Extract<Reading, { kind: 'doubt' }>,
): Promise<ReadOutcome> {
  const { local, hasChanged, tags } = reading
  try {
    const media = await probeFile(services, path, signal)
    const facts = { media, containerTags: {}, tags }
    return { kind: 'read', facts, local, contentHash: Buffer.from(reading.contentHash), hasChanged }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError && error.code === mediaToolErrors.tool_missing.definition.code) throw error
    const code = error instanceof AppError ? error.code : (systemErrorCode(error) ?? 'unknown')
    return { kind: 'unreadable', code, reason: describeError(error), local }
  }
}
