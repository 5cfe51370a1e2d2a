import { dirname, join } from 'node:path'
import { effectiveTimeZone } from '../../libraries/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { mediaToolErrors } from '../../platform/media-tools/index.ts'
import { probeFile, type FileReadResult, type ReadRequest } from '../../probing/index.ts'
import { orderedMap, Semaphore } from '../../platform/concurrency/index.ts'
import { readGroupFiles } from './read-group-files.ts'
import type { FolderEvent, DiscoveredFile, FileReadEvent, FileReadOutcome } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'

/** Concurrent files: enough to give every reader thread full batches. */
const CONCURRENT_FILES = 256

/** ffprobe starts slowly and reads little; two processes use the available capacity without slowing down playback. */
const CONCURRENT_PROBES = 2

const NANOSECONDS_PER_SECOND = 1_000_000_000n

/** End of the year 2099. File systems can hold invalid timestamps. */
const MAX_UNIX_SECONDS = 4_102_444_799

/**
 * Reads each file with the reader threads, and with ffprobe (30 s limit) if they do not fully understand it. An unreadable file is an
 * outcome; a missing ffprobe ends the job.
 */
export function readFiles(
  scan: ScanState,
  events: AsyncIterable<DiscoveredFile | FolderEvent>,
): AsyncIterable<FileReadEvent | FolderEvent> {
  const probes = new Semaphore({ permits: CONCURRENT_PROBES })
  const zone = effectiveTimeZone(scan.library.options)
  return orderedMap(events, {
    concurrency: CONCURRENT_FILES,
    map: async (event) => {
      if (event.kind === 'file') return { ...event, outcome: await readOne(scan, { file: event, zone }, probes) }
      return event.kind === 'folder' ? { ...event, local: await readGroupFiles(scan, event) } : event
    },
  })
}

type Wanted = { file: DiscoveredFile; zone: string }

async function readOne(scan: ScanState, { file, zone }: Wanted, probes: Semaphore): Promise<FileReadOutcome> {
  scan.signal.throwIfAborted()
  const reading = await scan.services.readers.read(requestFor(file, zone), scan.signal)
  switch (reading.kind) {
    case 'gone':
      return reading
    case 'unreadable':
      return reading
    case 'read':
      return { ...reading, contentHash: Buffer.from(reading.contentHash) }
    case 'needs-ffprobe':
      return probes.run(() => askFfprobe(scan, file, reading))
  }
}

function requestFor(file: DiscoveredFile, zone: string): ReadRequest {
  const { root, path, sizeBytes, modifiedAtNanoseconds, planned } = file
  const asked = { root, path, sizeBytes, sidecars: planned.sidecars.map((name) => join(dirname(path), name)) }
  if (planned.as !== 'photo') return { ...asked, as: planned.as }
  const modifiedAtSeconds = Math.min(
    Math.max(Number(modifiedAtNanoseconds / NANOSECONDS_PER_SECOND), 0),
    MAX_UNIX_SECONDS,
  )
  return { ...asked, as: planned.as, time: { modifiedAtSeconds, zone } }
}

async function askFfprobe(
  { services, signal }: ScanState,
  { path }: DiscoveredFile,
  reading: Extract<FileReadResult, { kind: 'needs-ffprobe' }>,
): Promise<FileReadOutcome> {
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
