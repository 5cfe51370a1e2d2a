import { Plugin } from '@oclif/core'
import type { Manifest } from '@oclif/core/interfaces'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

type PackageJson = { version: string; oclif: Record<string, unknown> }

/** The commands in src/commands by id: oclif's manifest, with the paths of the sources. */
async function describeCommands(root: string): Promise<Manifest> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson
  pjson.oclif = {
    ...pjson.oclif,
    commands: { strategy: 'pattern', target: './src/commands', globPatterns: ['**/*.ts', '!_support/**'] },
  }
  const plugin = new Plugin({
    root,
    pjson: pjson as never,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
  })
  await plugin.load()
  // Sorted, because a committed file must not depend on the order in which a file system lists files.
  const commands = Object.entries(plugin.manifest.commands).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { version: plugin.manifest.version, commands: Object.fromEntries(commands) }
}

/** The text of the committed oclif.manifest.json: the same commands, with the paths of the build. */
export async function releaseManifest(root: string): Promise<string> {
  const manifest = await describeCommands(root)
  return serialise(manifest, (path) => ['dist', ...path].map((part) => part.replace(/\.ts$/, '.js')))
}

/**
 * Stores the manifest of the sources in `directory`, where bin/dev.js reads it, and removes those of earlier sources. Concurrent calls are
 * safe: the folder is renamed into place.
 * @returns false if it cannot be written, for example in another account's checkout
 */
export async function keepSourceManifest({ root, directory }: { root: string; directory: string }): Promise<boolean> {
  const manifest = await describeCommands(root)
  const upwards = relative(directory, root).split(sep)
  const parent = dirname(directory)
  const part = join(parent, `part-${process.pid}`)
  try {
    mkdirSync(part, { recursive: true })
    writeFileSync(
      join(part, 'oclif.manifest.json'),
      serialise(manifest, (path) => [...upwards, ...path]),
    )
    renameUnlessThere(part, directory)
    const earlier = readdirSync(parent).filter((name) => !name.startsWith('part-') && name !== basename(directory))
    for (const name of earlier) rmSync(join(parent, name), { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

function renameUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
    rmSync(from, { recursive: true })
  }
}

function serialise(manifest: Manifest, place: (path: string[]) => string[]): string {
  const commands = Object.entries(manifest.commands).map(([id, command]) => {
    return [id, { ...command, relativePath: place(command.relativePath ?? []) }]
  })
  return `${JSON.stringify({ version: manifest.version, commands: Object.fromEntries(commands) }, null, 2)}\n`
}
