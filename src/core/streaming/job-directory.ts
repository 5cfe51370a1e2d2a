import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import { systemErrorCode } from '../platform/errors/index.ts'
import { isMarkAlive, killProcessesNaming, processMark } from '../platform/spawn/index.ts'
import { parseStreamFile } from './segment-name.ts'

/** Encoders write into hidden folders of their job, so that a visible file is always whole. */
const HEAD_PREFIX = '.head-'
const OLD_DRAFTS_PREFIX = '.drafts-'

/** What a directory is called that is being removed. */
const REMOVED_PREFIX = '.removed-'

/** Where all job directories are: `cache/transcodes` of the data directory. */
export function transcodesDirectory(config: Pick<Config, 'dataDirectory'>): string {
  return join(config.dataDirectory, 'cache', 'transcodes')
}

/** The directory of one job, whose id must have been checked to be a UUID. */
export function jobDirectory(config: Pick<Config, 'dataDirectory'>, jobId: string): string {
  return join(transcodesDirectory(config), jobId)
}

/** Whether a job still has its directory. Encoders ask, because any process can cancel a job by removing it. */
export async function hasDirectory(directory: string): Promise<boolean> {
  const found = await stat(directory).catch(() => undefined)
  return found?.isDirectory() === true
}

/**
 * Removes the directory of a job and ends the encoders that write there, whichever process started them. It is renamed first: from then on
 * nothing can be written under its name, so no encoder that starts meanwhile fills it again. Nothing happens where there is none.
 */
export async function removeJobDirectory(directory: string): Promise<void> {
  const removed = join(dirname(directory), `${REMOVED_PREFIX}${randomUUID()}`)
  try {
    await rename(directory, removed)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
  killProcessesNaming(directory)
  await rm(removed, { recursive: true, force: true })
}

/** Removes what processes left that died while they removed the directory of a job. */
export async function finishRemovals(transcodes: string): Promise<void> {
  const left = (await namesIn(transcodes)).filter((name) => name.startsWith(REMOVED_PREFIX))
  for (const name of left) await rm(join(transcodes, name), { recursive: true, force: true })
}

/** The name of an encoder's own folder in its job's directory: whose it is, and one of its kind. */
export function headFolder(id: string): string {
  return `${HEAD_PREFIX}${processMark()}-${id}`
}

/** How many encoders work in a job's directory, of this process and of others. */
export async function countHeads(directory: string): Promise<number> {
  return (await namesIn(directory)).filter((name) => name.startsWith(HEAD_PREFIX) && !isAbandoned(name)).length
}

/**
 * Removes what the encoders of dead processes left in any job, and ends those that still write there.
 * @returns how many folders were removed
 */
export async function removeAbandonedEncoders(transcodes: string): Promise<number> {
  let removed = 0
  for (const job of await namesIn(transcodes)) {
    for (const name of await namesIn(join(transcodes, job))) {
      if (!isAbandoned(name)) continue
      const folder = join(transcodes, job, name)
      killProcessesNaming(folder)
      await rm(folder, { recursive: true, force: true })
      removed += 1
    }
  }
  return removed
}

/** Folders of releases that knew no heads are nobody's either. */
function isAbandoned(name: string): boolean {
  if (name.startsWith(OLD_DRAFTS_PREFIX)) return true
  return name.startsWith(HEAD_PREFIX) && !isMarkAlive(name.slice(HEAD_PREFIX.length))
}

/** The indexes of the segments of a rendition that are there; `id` is null for a job without a ladder. */
export async function presentSegments(directory: string, id: string | null): Promise<number[]> {
  const files = (await namesIn(directory)).map((name) => parseStreamFile(name))
  return files.flatMap((file) => (file?.kind === 'segment' && file.rendition === id ? [file.index] : []))
}

/** Bytes of all files of a folder; 0 where it does not exist. */
export async function writtenBytes(folder: string): Promise<number> {
  let total = 0
  for (const name of await namesIn(folder)) {
    // A piece may be taken out meanwhile.
    const found = await stat(join(folder, name)).catch(() => undefined)
    total += found?.size ?? 0
  }
  return total
}

/** Names in a directory; none where it does not exist or is no directory. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch {
    return []
  }
}

/**
 * Writes a small file so that readers see it whole or not at all. The draft's name begins with a dot, which no route
 * serves.
 */
export async function writeWhole(directory: string, file: { name: string; text: string }): Promise<void> {
  const draft = join(directory, `.${file.name}.draft`)
  await using handle: FileHandle = await open(draft, 'w', 0o600)
  await handle.writeFile(file.text)
  await handle.sync()
  await rename(draft, join(directory, file.name))
}
