import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { isMarkAlive, processMark } from '../../platform/spawn/index.ts'
import type { Plugin, PluginVersion } from '../plugin.ts'

const STAGING_PREFIX = '.staging-'

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
export function makeStaging(dataDirectory: string): string {
  const parent = pluginsFolder(dataDirectory)
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  const staging = join(parent, `${STAGING_PREFIX}${processMark()}-${randomBytes(4).toString('hex')}`)
  mkdirSync(staging, { mode: 0o755 })
  return staging
}

/** Moves the checked files to their final place. Files are read only, and everything is on disk when this returns. */
export function moveToPlace(from: string, to: string): void {
  const parent = join(to, '..')
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  seal(from)
  // Left over from an installation that was killed before its row was written.
  rmSync(to, { recursive: true, force: true })
  renameSync(from, to)
  for (const folder of [parent, join(parent, '..')]) syncFolder(folder)
}

/** Files 0444, folders 0755: other accounts read them, and only the owner of the folders may replace them. */
function seal(path: string): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) seal(join(path, name))
    chmodSync(path, 0o755)
    syncFolder(path)
  } else chmodSync(path, 0o444)
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes the folders of killed processes and of versions that no row names. Call it only under the lock of plugin changes. */
export function removeLeftovers(dataDirectory: string, plugins: readonly Plugin[]): void {
  const parent = pluginsFolder(dataDirectory)
  const named = new Map<string, Set<string | undefined>>(
    plugins.map(({ name, folder, previous }) => [name, new Set([folder, previous?.folder])]),
  )
  for (const name of listFolder(parent)) {
    if (name.startsWith(STAGING_PREFIX)) {
      if (!isMarkAlive(name.slice(STAGING_PREFIX.length))) remove(join(parent, name))
      continue
    }
    const folders = named.get(name)
    if (folders === undefined) remove(join(parent, name))
    else
      for (const folder of listFolder(join(parent, name))) if (!folders.has(folder)) remove(join(parent, name, folder))
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
