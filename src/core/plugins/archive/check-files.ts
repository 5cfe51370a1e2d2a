import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError } from '../../platform/errors/index.ts'
import { pluginErrors } from '../errors.ts'
import type { FileHashes } from './file-hashes.ts'

/**
 * Checks that a folder holds exactly the files that were installed, as files and folders without links.
 * @throws AppError `plugin_changed` with the first difference
 */
export async function checkFiles(folder: string, hashes: FileHashes): Promise<void> {
  const paths = await listFiles(folder)
  const known = new Set(Object.keys(hashes))
  for (const path of paths) {
    if (!known.delete(path)) throw changed(`${path} was added`)
    if ((await hashOf(join(folder, path))) !== hashes[path]) throw changed(`${path} was changed`)
  }
  const [missing] = known
  if (missing !== undefined) throw changed(`${missing} is missing`)
}

async function listFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    throw changed(describeError(error))
  })
  const paths: string[] = []
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) paths.push(...(await listFiles(folder, path)))
    else if (entry.isFile()) paths.push(path)
    else throw changed(`${path} is neither a file nor a folder`)
  }
  return paths
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    throw changed(describeError(error))
  }
  return hash.digest('hex')
}

function changed(reason: string): Error {
  return pluginErrors.plugin_changed({
    message: `The plugin is not as it was installed: ${reason}.`,
    hint: 'plugin:install with the same archive restores its files and keeps its settings',
  })
}
