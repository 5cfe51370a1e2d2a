import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'

/** Number of concurrent `stat` calls, so that a full cache does not delay the file access of others. */
const MAX_CONCURRENT_STATS = 32

/** Size of the cached streaming segments in bytes; 0 if there is no cache yet. */
export async function transcodeCacheBytes(config: Pick<Config, 'dataDirectory'>): Promise<number> {
  const directory = join(config.dataDirectory, 'cache', 'transcodes')
  // Nothing was transcoded yet, or a folder was deleted during the read: the next call counts again.
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  let bytes = 0
  for (let from = 0; from < files.length; from += MAX_CONCURRENT_STATS) {
    const sizes = files
      .slice(from, from + MAX_CONCURRENT_STATS)
      .map(({ parentPath, name }) => sizeOf(join(parentPath, name)))
    for (const size of await Promise.all(sizes)) bytes += size
  }
  return bytes
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
