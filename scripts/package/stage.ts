import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files of npm packages that only compilers and debuggers read. They are a tenth of the packages. */
const DEVELOPMENT_FILE = /node_modules\/.*\.(?:map|d\.[cm]?ts)$/

/** Copies a file or a folder without symbolic links: a package of npm has none, and the engine makes some when it runs. */
export function copyInto(source: string, target: string): void {
  const status = lstatSync(source)
  if (status.isDirectory()) {
    for (const name of readdirSync(source)) copyInto(join(source, name), join(target, name))
  } else if (status.isFile() && !DEVELOPMENT_FILE.test(target)) {
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(source, target)
  }
}

/** Writes a text file with its folders. */
export function writeInto(target: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, content, { mode })
}

/** All files below a folder, as sorted relative paths. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Removes what depends on the machine and the moment: modes become 0755 or 0644, times that of the sources. */
export function normalise(folder: string, epochSeconds: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) normalise(path, epochSeconds)
    else {
      chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
      lutimesSync(path, epochSeconds, epochSeconds)
    }
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, epochSeconds, epochSeconds)
}

/** The sizes of the files in KiB, each rounded up, as Debian counts them (Debian Policy 5.6.20). */
export function kibibytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + Math.ceil(statSync(join(folder, path)).size / 1024), 0)
}

/** The file `md5sums`, with which `dpkg --verify` finds changed files. */
export function checksums(folder: string, except: readonly string[]): string {
  return filesBelow(folder)
    .filter((path) => !except.includes(`/${path}`))
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('')
}
