import { createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { changeOwnerToDataOwner, createOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import { isSafePart } from '../archive/part-names.ts'
import type { Archive } from '../archive/read-archive.ts'
import { FOLDER_SOURCES } from '../create/data-files.ts'

type Input = { archive: Archive; dataDirectory: string; side: string; keepsConfig: boolean }

/**
 * Writes the files of an archive into a folder that is structured like a data directory. Files have mode 0600, belong to the owner of the
 * data directory, and are on the disk afterwards.
 * @returns the names in the data directory that the written files replace
 */
export async function stageFiles({ archive, dataDirectory, side, keepsConfig }: Input): Promise<string[]> {
  const names = new Set<string>()
  const folders = new Set([side])
  for (const { path } of archive.manifest.parts) {
    const [folder = ''] = path.split('/')
    const target = targetOf(path)
    if (target === undefined || !isSafePart(path) || (folder === 'config' && keepsConfig)) continue
    const file = join(side, target)
    createOwnedFolder(dataDirectory, dirname(file), 0o700)
    for (let above = dirname(file); above !== side; above = dirname(above)) folders.add(above)
    await pipeline(archive.stream(path), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
    changeOwnerToDataOwner(dataDirectory, file)
    names.add(folder === 'config' ? target : (SOURCES.get(folder) ?? target))
  }
  for (const folder of folders) syncFolder(folder)
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
