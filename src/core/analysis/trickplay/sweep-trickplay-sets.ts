import { rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFileStamps } from '../../catalogue/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { isRowId, type Connection } from '../../platform/database/index.ts'
import { deleteTrickplayResults, markTrickplayRemoved, selectItemsWithTrickplay } from '../queries/trickplay-results.ts'
import {
  SET_INDEX_NAME,
  isAbandonedTemporary,
  isSetName,
  itemTrickplayFolder,
  listSetFolderNames,
  removeSetFolder,
  trickplaySetName,
  trickplayDirectory,
} from './set-folders.ts'

/** The numbers of removed sets and of the bytes that they had. */
export type TrickplaySweepResult = Readonly<{ sets: number; bytes: number }>

/** The content of the folder. */
export type TrickplayStats = Readonly<{ sets: number; bytes: number; limitBytes: number }>

type Services = { config: Config; db: Connection }

type StoredSet = { itemId: string; folder: string; bytes: number; usedAtMilliseconds: number }

/** A sweep reduces the size to this share of the limit, so that the next set needs no other sweep. */
const TARGET_SHARE = 0.9

const ITEMS_PER_QUERY = 1000

/**
 * Removes unfinished sets of dead processes, sets of deleted items and of earlier versions of files, and the least recently used sets above the
 * size limit. Also deletes the records of items whose pictures were removed in another way, for example with the folder, so that they are made
 * again.
 * @returns what was removed, and the size of what is left
 */
export async function sweepTrickplaySets(services: Services): Promise<TrickplaySweepResult & { storedBytes: number }> {
  const removed = { sets: 0, bytes: 0 }
  const remove = async ({ folder, bytes }: StoredSet): Promise<void> => {
    await removeSetFolder(folder)
    removed.sets += 1
    removed.bytes += bytes
  }
  // The records are read before the folders, so that a set that is made meanwhile is not treated as missing.
  const made = await selectItemsWithTrickplay(services.db)
  const kept: StoredSet[] = []
  for (const { itemId, current } of await currentSets(services)) {
    const parent = itemTrickplayFolder(services.config, itemId)
    for (const name of await listSetFolderNames(parent)) {
      const folder = join(parent, name)
      if (!isSetName(name)) {
        if (isAbandonedTemporary(name)) await rm(folder, { recursive: true, force: true })
        continue
      }
      for (const file of (await listSetFolderNames(folder)).filter(isAbandonedTemporary))
        await rm(join(folder, file), { force: true })
      const set = { itemId, ...(await measureSet(folder)) }
      // The file may have been changed and read again since the start of the sweep.
      const isCurrent = name === current || (set.hasIndex && name === (await currentName(services, itemId)))
      if (isCurrent && set.hasIndex) kept.push(set)
      else await remove(set)
    }
    // Fails when it is not empty.
    await rmdir(parent).catch(() => {})
  }
  const existing = new Set(kept.map(({ itemId }) => itemId))
  await deleteTrickplayResults(
    services.db,
    made.filter((itemId) => !existing.has(itemId)),
  )
  const limitBytes = services.config.options['trickplay.cache_bytes']
  let storedBytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  if (storedBytes > limitBytes) {
    for (const set of kept.toSorted((one, other) => one.usedAtMilliseconds - other.usedAtMilliseconds)) {
      if (storedBytes <= limitBytes * TARGET_SHARE) break
      await markTrickplayRemoved(services.db, [set.itemId])
      await remove(set)
      storedBytes -= set.bytes
    }
  }
  return { ...removed, storedBytes }
}

/** Counts the sets and their bytes. */
export async function measureTrickplaySets({ config }: Pick<Services, 'config'>): Promise<TrickplayStats> {
  let [sets, bytes] = [0, 0]
  for (const itemId of await listSetFolderNames(trickplayDirectory(config))) {
    const parent = itemTrickplayFolder(config, itemId)
    for (const name of (await listSetFolderNames(parent)).filter(isSetName)) {
      sets += 1
      bytes += (await measureSet(join(parent, name))).bytes
    }
  }
  return { sets, bytes, limitBytes: config.options['trickplay.cache_bytes'] }
}

/** The items that have a folder, each with the name that a set of its file has; undefined for a deleted item. */
async function currentSets({ config, db }: Services): Promise<{ itemId: string; current: string | undefined }[]> {
  const ids = (await listSetFolderNames(trickplayDirectory(config))).filter((name) => isRowId(name))
  const items: { itemId: string; current: string | undefined }[] = []
  for (let at = 0; at < ids.length; at += ITEMS_PER_QUERY) {
    const some = ids.slice(at, at + ITEMS_PER_QUERY)
    const stamps = await findFileStamps({ db }, some)
    for (const itemId of some) {
      const stamp = stamps.get(itemId)
      items.push({ itemId, current: stamp === undefined ? undefined : trickplaySetName(stamp) })
    }
  }
  return items
}

async function currentName({ db }: Services, itemId: string): Promise<string | undefined> {
  const stamp = (await findFileStamps({ db }, [itemId])).get(itemId)
  return stamp === undefined ? undefined : trickplaySetName(stamp)
}

async function measureSet(folder: string): Promise<Omit<StoredSet, 'itemId'> & { hasIndex: boolean }> {
  let bytes = 0
  let usedAtMilliseconds = 0
  let hasIndex = false
  for (const name of await listSetFolderNames(folder)) {
    // The folder may have been removed in the meantime.
    const stats = await stat(join(folder, name)).catch(() => undefined)
    bytes += stats?.size ?? 0
    if (name !== SET_INDEX_NAME || stats === undefined) continue
    hasIndex = true
    usedAtMilliseconds = Math.max(stats.atimeMs, stats.mtimeMs)
  }
  return { folder, bytes, usedAtMilliseconds, hasIndex }
}
