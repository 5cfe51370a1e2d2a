/** The parts of package-lock.json (version 3) that packages are made from. */
export type LockedPackage = {
  version: string
  dev?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [key: string]: unknown
}
export type Lockfile = { packages: Record<string, LockedPackage>; [key: string]: unknown }

/**
 * The text of npm-shrinkwrap.json: the lock file without what is needed only for development. npm installs a published package with exactly
 * these versions (npm documentation, "npm-shrinkwrap.json").
 */
export function shrinkwrap(lock: Lockfile): string {
  const kept = Object.entries(lock.packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path, entry]) => {
      const { devDependencies: _, ...rest } = entry
      return [path, rest] as const
    })
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }, null, 2)}\n`
}

/**
 * The packages that these packages and the optional dependencies of the product need at run time, themselves included, as paths from the
 * root (`node_modules/pg`), sorted.
 * @param isInstalled whether the folder of an optional package exists; those of other platforms do not
 * @throws Error if the lock file lacks a package that is not optional
 */
export function closureOf(
  lock: Lockfile,
  { names, isInstalled }: { names: readonly string[]; isInstalled: (path: string) => boolean },
): string[] {
  const found = new Set<string>()
  const platforms = Object.keys(lock.packages['']?.optionalDependencies ?? {})
  const pending = [
    ...names.map((name) => ({ from: '', name, isOptional: false })),
    ...platforms.map((name) => ({ from: '', name, isOptional: true })),
  ]
  for (const { from, name, isOptional } of pending) {
    const path = resolve(lock, from, name)
    if (path === undefined && !isOptional)
      throw new Error(`package-lock.json lacks ${name}, which ${from || 'the product'} needs`)
    if (path === undefined || found.has(path) || (isOptional && !isInstalled(path))) continue
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path] ?? { version: '' }
    const optional = Object.keys(optionalDependencies)
    const required = Object.keys(dependencies).filter((dependency) => !optional.includes(dependency))
    pending.push(...required.map((dependency) => ({ from: path, name: dependency, isOptional: false })))
    pending.push(...optional.map((dependency) => ({ from: path, name: dependency, isOptional: true })))
  }
  return [...found].toSorted()
}

/** Where Node finds a package: in the `node_modules` of the package that needs it, else in those of the folders above. */
function resolve(lock: Lockfile, from: string, name: string): string | undefined {
  const parts = from === '' ? [] : from.split('/node_modules/')
  for (let depth = parts.length; depth >= 0; depth--) {
    const path = [...parts.slice(0, depth), name].join('/node_modules/')
    const placed = depth === 0 ? `node_modules/${name}` : path
    if (placed in lock.packages) return placed
  }
  return undefined
}
