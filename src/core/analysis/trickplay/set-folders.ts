import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStamp } from '../../catalogue/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { isInstanceAlive, processInstanceId } from '../../platform/spawn/index.ts'

/** The last file of a set: a folder without it is not a set. */
export const SET_INDEX_NAME = 'index.xml'

/** A set is made in a folder of this name, followed by the process and a unique id. */
const UNFINISHED = '.tmp-'

/** The parent of the folders of all items: `cache/trickplay` of the data directory. */
export function trickplayDirectory({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'cache', 'trickplay')
}

/** The folder of an item. It contains the set for one version of the file, and at times a further set that is being written. */
export function itemTrickplayFolder(config: Pick<Config, 'dataDirectory'>, itemId: string): string {
  return join(trickplayDirectory(config), itemId)
}

/** The name of the folder of a set: it changes with the file. */
export function trickplaySetName({ sizeBytes, modifiedAtNanoseconds }: FileStamp): string {
  return `${sizeBytes}-${modifiedAtNanoseconds}`
}

/** Whether a folder is a complete set, by its name. */
export function isSetName(name: string): boolean {
  return /^\d{1,20}-\d{1,20}$/.test(name)
}

/** A new name for a folder or file while it is written. */
export function temporarySetName(name: string): string {
  return `${name}${UNFINISHED}${processInstanceId()}-${randomUUID()}`
}

/** Whether a folder or file was not completed, and its process is dead. */
export function isAbandonedTemporary(name: string): boolean {
  const at = name.indexOf(UNFINISHED)
  return at !== -1 && !isInstanceAlive(name.slice(at + UNFINISHED.length))
}

/** The file of a grid. */
export function gridFileName(grid: number): string {
  return `thumb-${grid}.jpg`
}

/** Removes a folder. It is renamed first, so that no part of it is visible as a set meanwhile. */
export async function removeSetFolder(folder: string): Promise<void> {
  const removed = temporarySetName(folder)
  try {
    await rename(folder, removed)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw error
  }
  await rm(removed, { recursive: true, force: true })
}

/** The names in a folder; empty if it does not exist. */
export async function listSetFolderNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return []
    throw error
  }
}
