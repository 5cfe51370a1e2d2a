import { open, mkdir, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'

/** Drafts of segments lie in a hidden folder of their job, so that a visible file is always whole. */
const DRAFTS_PREFIX = '.drafts-'

/** Where all job directories are: `cache/transcodes` of the data directory. */
export function transcodesDirectory(config: Pick<Config, 'dataDirectory'>): string {
  return join(config.dataDirectory, 'cache', 'transcodes')
}

/** The directory of one job, whose id must have been checked to be a UUID. */
export function jobDirectory(config: Pick<Config, 'dataDirectory'>, jobId: string): string {
  return join(transcodesDirectory(config), jobId)
}

/** The folder of a job for drafts of the running process, made where it is missing. `run` tells processes apart. */
export async function makeDraftsDirectory(directory: string, run: string): Promise<string> {
  const drafts = join(directory, `${DRAFTS_PREFIX}${run}`)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  return drafts
}

/** Removes the drafts that earlier processes left in any job. */
export async function removeOldDrafts(transcodes: string, run: string): Promise<void> {
  for (const job of await namesIn(transcodes)) {
    for (const name of await namesIn(join(transcodes, job))) {
      if (!name.startsWith(DRAFTS_PREFIX) || name === `${DRAFTS_PREFIX}${run}`) continue
      await rm(join(transcodes, job, name), { recursive: true, force: true })
    }
  }
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
