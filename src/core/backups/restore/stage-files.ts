import { createWriteStream } from 'node:fs'
import { existsSync } from 'node:fs'
import { chown, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isSafePart } from '../archive/part-names.ts'
import type { Archive } from '../archive/read-archive.ts'
import { FOLDER_SOURCES } from '../create/data-files.ts'

type Input = { archive: Archive; side: string; keepsConfig: boolean }

/**
 * Writes the files of an archive into a folder with the form of a data directory. Files have mode 0600.
 * @returns the names of the data directory that they replace
 */
export async function stageFiles({ archive, side, keepsConfig }: Input): Promise<string[]> {
  const names = new Set<string>()
  for (const { path } of archive.manifest.parts) {
    const [folder = ''] = path.split('/')
    const target = targetOf(path)
    if (target === undefined || !isSafePart(path) || (folder === 'config' && keepsConfig)) continue
    const file = join(side, target)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(archive.stream(path), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
    await giveToOwnerOf(side, file)
    names.add(folder === 'config' ? target : (SOURCES.get(folder) ?? target))
  }
  return [...names]
}

const SOURCES: ReadonlyMap<string, string> = new Map(Object.entries(FOLDER_SOURCES))

/** The path in the data directory; undefined for tables, and for a configuration file from elsewhere. */
function targetOf(path: string): string | undefined {
  const [folder = '', ...rest] = path.split('/')
  if (path === 'config/config.toml') return 'config.toml'
  const source = SOURCES.get(folder)
  return source === undefined ? undefined : join(source, ...rest)
}

/** A restore by root must leave files that the account of the server can read. */
async function giveToOwnerOf(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  for (let path = file; path !== folder && existsSync(path); path = dirname(path)) await chown(path, uid, gid)
}
