import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Semaphore } from '../platform/concurrency/index.ts'
import { isInstanceAlive, processInstanceId } from '../platform/spawn/index.ts'
import type { Plugin, PluginVersion } from './plugin.ts'

const STAGING_PREFIX = '.staging-'

/** Half of the threads of libuv: an archive has thousands of entries, and other requests need a thread too. */
const CONCURRENT_CHANGES = 2

/** `plugins` in the data directory. Other accounts may traverse it, because plugins run as one of them. */
export function pluginsFolder(dataDirectory: string): string {
  return join(dataDirectory, 'plugins')
}

/** The folder of one version of a plugin. */
export function versionFolder(
  dataDirectory: string,
  { manifest, folder }: Pick<PluginVersion, 'manifest' | 'folder'>,
): string {
  return join(pluginsFolder(dataDirectory), manifest.name, folder)
}

/** Creates an empty folder for an installation. Its name shows whether its process is alive. */
export async function makeStaging(dataDirectory: string): Promise<string> {
  const parent = pluginsFolder(dataDirectory)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const staging = join(parent, `${STAGING_PREFIX}${processInstanceId()}-${randomBytes(4).toString('hex')}`)
  await mkdir(staging, { mode: 0o755 })
  return staging
}

/** Moves the checked files to their final place. Files are read only, and everything is on disk when the promise resolves. */
export async function moveToPlace(from: string, to: string): Promise<void> {
  const parent = join(to, '..')
  await mkdir(parent, { recursive: true, mode: 0o755 })
  await seal(from)
  // Left over from an installation that was killed before its row was written.
  await removeFolder(to)
  await rename(from, to)
  for (const folder of [parent, join(parent, '..')]) await syncFolder(folder)
}

/** Files 0444, folders 0755: other accounts read them, and only the owner of the folders may replace them. */
async function seal(top: string): Promise<void> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  const changes = new Semaphore({ permits: CONCURRENT_CHANGES })
  const sealed = entries.map((entry) =>
    changes.run(async () => {
      const path = join(entry.parentPath, entry.name)
      await (entry.isDirectory() ? sealFolder(path) : chmod(path, 0o444))
    }),
  )
  // All have ended before an error is thrown: the caller then removes the files.
  const failed = (await Promise.allSettled(sealed)).find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  await sealFolder(top)
}

async function sealFolder(path: string): Promise<void> {
  await chmod(path, 0o755)
  await syncFolder(path)
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** Removes a folder with everything in it; one that does not exist is no error. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Removes the folders of killed processes and of versions that no row names. Call it only under the lock of plugin changes. */
export async function removeLeftovers(dataDirectory: string, plugins: readonly Plugin[]): Promise<void> {
  const parent = pluginsFolder(dataDirectory)
  const named = new Map<string, Set<string | undefined>>(
    plugins.map(({ name, folder, previous }) => [name, new Set([folder, previous?.folder])]),
  )
  for (const name of await listFolder(parent)) {
    if (name.startsWith(STAGING_PREFIX)) {
      if (!isInstanceAlive(name.slice(STAGING_PREFIX.length))) await removeFolder(join(parent, name))
      continue
    }
    const folders = named.get(name)
    if (folders === undefined) await removeFolder(join(parent, name))
    else
      for (const folder of await listFolder(join(parent, name)))
        if (!folders.has(folder)) await removeFolder(join(parent, name, folder))
  }
}

async function listFolder(path: string): Promise<string[]> {
  return readdir(path).catch(() => [])
}
