import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { isInstanceAlive, killProcessesUsingDirectory, processInstanceId } from '../../platform/spawn/index.ts'
import { parseStreamFile } from './segment-name.ts'

/** Encoders write into hidden folders of their job, so that every visible file is complete. */
const ENCODER_PREFIX = '.head-'
const OLD_DRAFTS_PREFIX = '.drafts-'

/** Prefix of a directory that is being removed. */
const REMOVED_PREFIX = '.removed-'

/** Returns the parent of all job directories: `cache/transcodes` of the data directory. */
export function transcodesDirectory(config: Pick<Config, 'dataDirectory'>): string {
  return join(config.dataDirectory, 'cache', 'transcodes')
}

/** Returns the directory of a job. The caller must have verified that the id is a UUID. */
export function jobDirectory(config: Pick<Config, 'dataDirectory'>, jobId: string): string {
  return join(transcodesDirectory(config), jobId)
}

/** Returns whether a job still has its directory. Any process can cancel a job by removing the directory. */
export async function hasJobDirectory(directory: string): Promise<boolean> {
  const stats = await stat(directory).catch(() => undefined)
  return stats?.isDirectory() === true
}

/**
 * Removes the directory of a job and ends the encoders of any process that write there. The directory is renamed first, so that an
 * encoder that starts meanwhile cannot write to it. Does nothing if the directory does not exist.
 */
export async function removeJobDirectory(directory: string): Promise<void> {
  const removed = join(dirname(directory), `${REMOVED_PREFIX}${randomUUID()}`)
  try {
    await rename(directory, removed)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
  killProcessesUsingDirectory(directory)
  await rm(removed, { recursive: true, force: true })
}

/** Completes removals that were interrupted because their process died. */
export async function completeInterruptedRemovals(transcodes: string): Promise<void> {
  const left = (await listFolderNames(transcodes)).filter((name) => name.startsWith(REMOVED_PREFIX))
  for (const name of left) await rm(join(transcodes, name), { recursive: true, force: true })
}

/** Returns the name of an encoder's folder in its job's directory: it contains the owning process and a unique id. */
export function encoderFolderName(id: string): string {
  return `${ENCODER_PREFIX}${processInstanceId()}-${id}`
}

/** Returns the number of running encoders in a job's directory, of all processes. */
export async function countEncoders(directory: string): Promise<number> {
  return (await listFolderNames(directory)).filter((name) => name.startsWith(ENCODER_PREFIX) && !isAbandoned(name))
    .length
}

/**
 * Removes the folders of encoders whose owning process is dead, in all jobs, and ends those that still write there.
 * @returns the number of removed folders
 */
export async function removeAbandonedEncoders(transcodes: string): Promise<number> {
  let removed = 0
  for (const job of await listFolderNames(transcodes)) {
    for (const name of await listFolderNames(join(transcodes, job))) {
      if (!isAbandoned(name)) continue
      const folder = join(transcodes, job, name)
      killProcessesUsingDirectory(folder)
      await rm(folder, { recursive: true, force: true })
      removed += 1
    }
  }
  return removed
}

/** Folders in the layout of old releases have no owner and count as abandoned. */
function isAbandoned(name: string): boolean {
  if (name.startsWith(OLD_DRAFTS_PREFIX)) return true
  return name.startsWith(ENCODER_PREFIX) && !isInstanceAlive(name.slice(ENCODER_PREFIX.length))
}

/** Returns the indexes of the existing segments of a rendition; `id` is null for a job without a ladder. */
export async function listPresentSegments(directory: string, id: string | null): Promise<number[]> {
  const files = (await listFolderNames(directory)).map((name) => parseStreamFile(name))
  return files.flatMap((file) => (file?.kind === 'segment' && file.rendition === id ? [file.index] : []))
}

/** Returns the total size of all files of a folder; 0 if it does not exist. */
export async function folderSizeBytes(folder: string): Promise<number> {
  let total = 0
  for (const name of await listFolderNames(folder)) {
    // A piece may be moved out meanwhile.
    const stats = await stat(join(folder, name)).catch(() => undefined)
    total += stats?.size ?? 0
  }
  return total
}

/** Returns the names in a directory; empty if it does not exist or is not a directory. */
export async function listFolderNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch {
    return []
  }
}

/** Writes a small file atomically. The name of the temporary file begins with a dot, and no route serves such names. */
export async function writeFileAtomically(directory: string, file: { name: string; text: string }): Promise<void> {
  const draft = join(directory, `.${file.name}.draft`)
  await using handle: FileHandle = await open(draft, 'w', 0o600)
  await handle.writeFile(file.text)
  await handle.sync()
  await rename(draft, join(directory, file.name))
}
