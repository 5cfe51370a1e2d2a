import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Native tools have one optional package per platform. If a registry lacks some of them, `npm install` silently omits the others from
 * package-lock.json, and `npm ci` then rejects the file everywhere. This script adds the missing entries from those of the tool. Run `node
 * scripts/complete-lockfile.ts` after a change of dependencies; a test fails if it is needed.
 */

type LockedPackage = {
  version: string
  dev?: boolean
  license?: string
  engines?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lockfile = { packages: Record<string, LockedPackage> }
type Absent = { name: string; version: string; owner: LockedPackage }

/** Optional packages that the lockfile names without an entry. */
export function absentPackages({ packages }: Lockfile): Absent[] {
  return Object.entries(packages).flatMap(([path, owner]) =>
    Object.entries(owner.optionalDependencies ?? {})
      .filter(([name]) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages))
      .map(([name, version]) => ({ name, version, owner })),
  )
}

/** The names end in `<system>-<processor>[-<C library>]`, for example `@oxlint/binding-linux-arm64-musl`. */
function describe({ name, version, owner }: Absent): LockedPackage & Record<string, unknown> {
  const [system = '', processor = '', library = ''] = name.replace(/^.*\/(binding-)?/, '').split('-')
  const libc = system === 'linux' ? { gnu: ['glibc'], musl: ['musl'] }[library] : undefined
  const { dev, license, engines } = owner
  return {
    version,
    cpu: [processor],
    ...(dev === undefined ? {} : { dev }),
    ...(libc === undefined ? {} : { libc }),
    ...(license === undefined ? {} : { license }),
    optional: true,
    os: [system],
    ...(engines === undefined ? {} : { engines }),
  }
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '..', 'package-lock.json')
  const lockfile = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  for (const absent of absentPackages(lockfile)) lockfile.packages[`node_modules/${absent.name}`] = describe(absent)
  const sorted = Object.entries(lockfile.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
}
