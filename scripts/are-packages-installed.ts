import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether npm has installed what package-lock.json says, whoever called it: `npm ci` by hand leaves no stamp of bin/_toolchain.sh, and a
 * second installation would take a minute and remove the packages for development. Uses no packages.
 *
 * usage: node scripts/are-packages-installed.ts PROJECT runtime|all; the exit status is 0 or 1.
 */

type Package = {
  version?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}
type Lockfile = { packages: Record<string, Package> }

/** The C library for which optional packages are chosen (npm, package.json `libc`). */
function ownLibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}

type Machine = { platform: string; arch: string; libc: string }

/** The packages of a lockfile that npm's record of an installation must have on a machine. */
function meantPackages(
  { packages }: Lockfile,
  { isRuntimeOnly, platform, arch, libc }: Machine & { isRuntimeOnly: boolean },
): [path: string, one: Package][] {
  const isMeant = ({ os, cpu, libc: libraries = [libc], optional = false }: Package): boolean => {
    // Optional packages for every machine belong to those for another one.
    if (optional && os === undefined && cpu === undefined) return false
    return (os ?? [platform]).includes(platform) && (cpu ?? [arch]).includes(arch) && libraries.includes(libc)
  }
  return Object.entries(packages).filter(
    ([path, one]) => path !== '' && isMeant(one) && !(isRuntimeOnly && one.dev === true),
  )
}

/** The packages that are missing in npm's record of an installation, or have another version there. */
export function missingPackages(
  wanted: Lockfile,
  installed: Lockfile,
  machine: Machine & { isRuntimeOnly: boolean },
): string[] {
  return meantPackages(wanted, machine)
    .filter(([path, { version, integrity }]) => {
      const found = installed.packages[path]
      return found?.version !== version || found?.integrity !== integrity
    })
    .map(([path]) => path)
}

function readLockfile(path: string): Lockfile {
  return JSON.parse(readFileSync(path, 'utf8')) as Lockfile
}

if (import.meta.main) {
  const [project = '.', mode] = process.argv.slice(2)
  const record = join(project, 'node_modules', '.package-lock.json')
  const wanted = readLockfile(join(project, 'package-lock.json'))
  // npm writes its record when everything is in its place.
  const installed = existsSync(record) ? readLockfile(record) : { packages: {} }
  const machine = {
    isRuntimeOnly: mode === 'runtime',
    platform: process.platform,
    arch: process.arch,
    libc: ownLibc(),
  }
  const isThere = ([path]: [path: string, one: Package]): boolean => existsSync(join(project, path, 'package.json'))
  const isComplete = missingPackages(wanted, installed, machine).length === 0
  process.exitCode = isComplete && meantPackages(wanted, machine).every(isThere) ? 0 : 1
}
