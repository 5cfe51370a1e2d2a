import { mkdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemErrorCode } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { streamingErrors } from '../errors.ts'
import { listFolderNames } from '../job/job-directory.ts'
import { parseStreamFile } from '../job/segment-name.ts'

const RETRY_AFTER_SECONDS = 3

/** Segments without a request for this time are removed. */
const MAX_UNUSED_MILLISECONDS = 24 * 3600 * 1000

/**
 * Number of segments before and after the requested segment that are not evicted: the player has just read these segments or will read them
 * soon.
 */
const NEAR_SEGMENTS = 10

type Services = {
  clock: Clock
  /** Returns the free bytes of the file system of a directory. */
  freeBytes: (directory: string) => Promise<number>
}

type StoredSegment = {
  path: string
  jobId: string
  rendition: string | null
  index: number
  bytes: number
  usedAtMilliseconds: number
}

/** Statistics of the cache. */
export type CacheStats = {
  jobs: number
  segments: number
  bytes: number
  /** Time of the last request for the least recently used segment; null if there is none. */
  leastRecentlyUsedAt: Date | null
  freeBytes: number
  floorBytes: number
}

/** A requested segment. Eviction must not remove its neighbours. */
export type SegmentReference = { jobId: string; rendition: string | null; index: number }

/**
 * Tracks use and readers of the segments on disk, and evicts segments. Times of use are kept in memory and written to the files periodically, so
 * that a later process knows them.
 */
export class SegmentCache {
  readonly #services: Services
  readonly #directory: string
  readonly #floorBytes: number
  readonly #usedAt = new Map<string, number>()
  readonly #readers = new Map<string, number>()

  constructor(services: Services, { directory, floorBytes }: { directory: string; floorBytes: number }) {
    this.#services = services
    this.#directory = directory
    this.#floorBytes = floorBytes
  }

  /** Records that a segment is being read. @returns a function that records the end of reading */
  read(path: string): () => void {
    this.#usedAt.set(path, this.#services.clock.now().getTime())
    this.#readers.set(path, (this.#readers.get(path) ?? 0) + 1)
    return () => {
      const left = (this.#readers.get(path) ?? 0) - 1
      if (left > 0) this.#readers.set(path, left)
      else this.#readers.delete(path)
    }
  }

  /**
   * Ensures the minimum free disk space by evicting the least recently used segments one by one. The same disk may hold the database,
   * which does not survive a full disk.
   * @throws AppError `disk_space_low`
   */
  async ensureFreeSpace(wanted: SegmentReference): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    if (await this.#hasFreeSpace()) return
    for (const segment of await this.#list()) {
      if (this.#readers.has(segment.path) || isNear(segment, wanted)) continue
      await this.#remove(segment)
      if (await this.#hasFreeSpace()) return
    }
    throw diskFullError()
  }

  /**
   * Removes segments that were not used for a day, and more if the disk has too little free space.
   * @returns the number and the size of the removed segments
   */
  async sweep(): Promise<{ segments: number; bytes: number }> {
    await this.#writeTimes()
    const removed = { segments: 0, bytes: 0 }
    const oldest = this.#services.clock.now().getTime() - MAX_UNUSED_MILLISECONDS
    let hasFreeSpace = await this.#hasFreeSpace()
    for (const segment of await this.#list()) {
      if (this.#readers.has(segment.path) || (hasFreeSpace && segment.usedAtMilliseconds > oldest)) continue
      await this.#remove(segment)
      removed.segments += 1
      removed.bytes += segment.bytes
      if (!hasFreeSpace) hasFreeSpace = await this.#hasFreeSpace()
    }
    return removed
  }

  async stats(): Promise<CacheStats> {
    const segments = await this.#list()
    const [first] = segments
    return {
      jobs: new Set(segments.map(({ jobId }) => jobId)).size,
      segments: segments.length,
      bytes: segments.reduce((total, { bytes }) => total + bytes, 0),
      leastRecentlyUsedAt: first === undefined ? null : new Date(first.usedAtMilliseconds),
      freeBytes: await this.#freeBytes(),
      floorBytes: this.#floorBytes,
    }
  }

  async #hasFreeSpace(): Promise<boolean> {
    return (await this.#freeBytes()) >= this.#floorBytes
  }

  /**
   * Returns the free space at the nearest existing ancestor. The directory does not exist before the first job and is not created here,
   * because the caller may run under another account.
   */
  async #freeBytes(): Promise<number> {
    for (let folder = this.#directory; ; folder = dirname(folder)) {
      try {
        return await this.#services.freeBytes(folder)
      } catch (error) {
        if (systemErrorCode(error) !== 'ENOENT' || folder === dirname(folder)) throw error
      }
    }
  }

  async #remove({ path }: StoredSegment): Promise<void> {
    await rm(path, { force: true })
    this.#usedAt.delete(path)
  }

  /**
   * Sets the access time explicitly, because some file systems do not maintain it. The modification time is kept: it records when the
   * segment was written.
   */
  async #writeTimes(): Promise<void> {
    for (const [path, milliseconds] of this.#usedAt) {
      const stats = await stat(path).catch(() => undefined)
      // The file may have been removed meanwhile.
      if (stats !== undefined) await utimes(path, milliseconds / 1000, stats.mtimeMs / 1000).catch(() => {})
      if (!this.#readers.has(path)) this.#usedAt.delete(path)
    }
  }

  /** Returns all segments, least recently used first. */
  async #list(): Promise<StoredSegment[]> {
    const segments: StoredSegment[] = []
    for (const jobId of await listFolderNames(this.#directory)) {
      for (const name of await listFolderNames(join(this.#directory, jobId))) {
        const file = parseStreamFile(name)
        if (file?.kind !== 'segment') continue
        const path = join(this.#directory, jobId, name)
        const stats = await stat(path).catch(() => undefined)
        if (stats === undefined) continue
        const usedAtMilliseconds = this.#usedAt.get(path) ?? Math.max(stats.atimeMs, stats.mtimeMs)
        const { rendition, index } = file
        segments.push({ path, jobId, rendition, index, bytes: stats.size, usedAtMilliseconds })
      }
    }
    return segments.toSorted((a, b) => a.usedAtMilliseconds - b.usedAtMilliseconds)
  }
}

/** Returns the error for a full disk, which is found before or during a write. */
export function diskFullError(cause?: unknown): Error {
  return streamingErrors.disk_space_low({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

function isNear(segment: StoredSegment, wanted: SegmentReference): boolean {
  return (
    segment.jobId === wanted.jobId &&
    segment.rendition === wanted.rendition &&
    Math.abs(segment.index - wanted.index) <= NEAR_SEGMENTS
  )
}
