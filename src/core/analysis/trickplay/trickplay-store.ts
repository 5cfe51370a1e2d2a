import { rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { findFileStamps } from '../../catalogue/index.ts'
import { shareRunning } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { isRowId, type Connection } from '../../platform/database/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { Images } from '../../platform/images/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { analysisErrors } from '../errors.ts'
import type { AnalysedFile } from '../film/analysed-file.ts'
import { openSetFile, readTrickplaySet, type TrickplaySet } from './read-trickplay-set.ts'
import { temporarySetName } from './set-folders.ts'
import { TrickplaySetWriter } from './set-writer.ts'
import {
  measureTrickplaySets,
  sweepTrickplaySets,
  type TrickplayStats,
  type TrickplaySweepResult,
} from './sweep-trickplay-sets.ts'

/** The sets of pictures of time lines on disk, `cache/trickplay`. */
export type TrickplayStore = Readonly<{
  /** Begins the set of a file. The writer receives its pictures and must be committed or discarded. */
  begin(file: AnalysedFile): Promise<TrickplaySetWriter>
  /** Whether there is a set of this version of a file. */
  has(file: AnalysedFile): Promise<boolean>
  /** The sets of items whose files are as the last scan found them, by id. Items without a set are missing. */
  find(itemIds: readonly string[]): Promise<ReadonlyMap<string, TrickplaySet>>
  /**
   * Opens a file that is derived from a set, and makes it at the first request; the caller closes it.
   * @throws AppError `trickplay_not_found` when the set was removed meanwhile, `trickplay_disk_full`
   */
  openDerived(set: TrickplaySet, name: string, make: () => Promise<Buffer>): Promise<FileHandle>
  /** Removes sets that are no longer needed, and the least recently used sets above the size limit. */
  sweep(): Promise<TrickplaySweepResult>
  stats(): Promise<TrickplayStats>
  /** Waits for derived files that are being made. */
  close(): Promise<void>
}>

const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

type Services = { config: Config; log: Logger; clock: Clock; db: Connection; images: Images }

/** Creates the store of a data directory; accesses the disk only when it is used. */
export function createTrickplayStore({ config, log, clock, db, images }: Services): TrickplayStore {
  const logger = log.child({ domain: 'trickplay' })
  const making = new Map<string, Promise<void>>()
  /** Undefined before the first sweep. */
  let storedBytes: number | undefined

  const sweep = async (): Promise<TrickplaySweepResult> => {
    const { storedBytes: left, ...removed } = await sweepTrickplaySets({ config, db })
    storedBytes = left
    return removed
  }

  const find: TrickplayStore['find'] = async (itemIds) => {
    const stamps = await findFileStamps({ db }, itemIds.filter(isRowId))
    const sets = await Promise.all([...stamps].map(([id, stamp]) => readTrickplaySet({ config, clock }, id, stamp)))
    return new Map(sets.filter((set) => set !== undefined).map((set) => [set.itemId, set]))
  }

  const makeDerived = async ({ folder }: TrickplaySet, name: string, make: () => Promise<Buffer>): Promise<void> => {
    const bytes = await make()
    const unfinished = join(folder, temporarySetName(name))
    const floor = config.options['hls.min_disk_space_bytes']
    try {
      if ((await freeSpaceBytes(folder)) - bytes.length < floor) throw analysisErrors.trickplay_disk_full()
      await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx' })
      await rename(unfinished, join(folder, name))
    } catch (error) {
      await rm(unfinished, { force: true })
      const code = systemErrorCode(error) ?? ''
      if (code === 'ENOENT') throw analysisErrors.trickplay_not_found({ cause: error })
      if (DISK_FULL.has(code)) throw analysisErrors.trickplay_disk_full({ cause: error })
      throw error
    }
  }

  return {
    async begin(file) {
      const isFull = storedBytes === undefined || storedBytes > config.options['trickplay.cache_bytes']
      if (isFull) {
        await sweep().catch((error: unknown) => {
          logger.warning({ reason: describeError(error) }, 'removing old pictures of time lines failed')
        })
      }
      const writer: TrickplaySetWriter = new TrickplaySetWriter({ config, images }, file, (stage) => {
        if (stage === 'published' && storedBytes !== undefined) storedBytes += writer.bytes
      })
      return writer
    },
    has: async (file) => (await readTrickplaySet({ config, clock }, file.itemId, file)) !== undefined,
    find,
    async openDerived(set, name, make) {
      try {
        return await openSetFile(set, name)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
      const path = join(set.folder, name)
      await shareRunning(making, path, () => makeDerived(set, name, make))
      return openSetFile(set, name)
    },
    sweep,
    stats: () => measureTrickplaySets({ config }),
    async close() {
      await Promise.allSettled(making.values())
    },
  }
}
