import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { isSafePart, type ArchivedFolder } from '../archive/part-names.ts'

/** A file of the data directory and its name in an archive. */
export type DataFile = {
  part: string
  path: string
  bytes: number
  /** Whether the file may be a symbolic link: only the configuration file, whose path an administrator has chosen. */
  mayBeLink: boolean
}

/** Where the folders of an archive are in the data directory. */
export const FOLDER_SOURCES: Readonly<Record<Exclude<ArchivedFolder, 'config'>, string>> = {
  keys: 'keys',
  plugins: 'plugins',
  artwork: join('cache', 'artwork'),
}

const CONFIG_PART = 'config/config.toml'
/** A configuration file outside of the data directory. It is stored, but a restore does not overwrite the one in use. */
const NAMED_CONFIG_PART = 'config/elsewhere/config.toml'

/**
 * The files that belong to a backup beside the database.
 * @returns the files, and separately the paths that cannot be stored: symbolic links, other special files, names with control characters,
 * and files that have just been removed
 */
export async function listDataFiles(
  config: Config,
  { includesArtwork }: { includesArtwork: boolean },
): Promise<{ files: DataFile[]; skipped: string[] }> {
  const files: DataFile[] = []
  const skipped: string[] = []
  for (const path of configFiles(config)) {
    const bytes = await sizeOf(path)
    if (bytes === undefined) {
      skipped.push(path)
      continue
    }
    const isInside = path === join(config.dataDirectory, 'config.toml')
    files.push({ part: isInside ? CONFIG_PART : NAMED_CONFIG_PART, path, bytes, mayBeLink: true })
  }
  for (const [folder, source] of Object.entries(FOLDER_SOURCES)) {
    if (folder === 'artwork' && !includesArtwork) continue
    const top = join(config.dataDirectory, source)
    for await (const { path, isFile } of walk(top)) {
      const part = [folder, ...relative(top, path).split(sep)].join('/')
      const bytes = isFile && isSafePart(part) ? await sizeOf(path) : undefined
      if (bytes === undefined) skipped.push(path)
      else files.push({ part, path, bytes, mayBeLink: false })
    }
  }
  return { files, skipped }
}

/** Undefined for a file that has just been removed. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** The file that the options of this process come from. */
function configFiles({ origins }: Config): string[] {
  const named = Object.values(origins).flatMap((origin) => (origin.startsWith('file ') ? [origin.slice(5)] : []))
  return [...new Set(named)]
}

async function* walk(folder: string): AsyncGenerator<{ path: string; isFile: boolean }> {
  let entries
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw error
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else yield { path, isFile: entry.isFile() }
  }
}
