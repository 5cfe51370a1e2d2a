import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const RELEASES = join(ROOT, '.cache', 'release')

/** What the files of a release are made from. */
const SOURCES = [
  'src/**/*',
  'test/support/**/*.ts',
  'migrations/**/*.sql',
  'bin/run.js',
  'scripts/build-release.ts',
  'scripts/command-manifest.ts',
  'scripts/web-pages/*.ts',
  'package.json',
  'package-lock.json',
]
const COPIED = ['bin/run.js', 'migrations', 'package.json']

const UNFINISHED = 'unfinished-'
/** Another run of the same checkout may still use the release of earlier sources. */
const UNUSED_MILLISECONDS = 24 * 60 * 60 * 1000

/** A release of this checkout. */
export type Release = {
  /** The file that a release is started with. */
  entry: string
  /** The built test/support/scan-worker.ts. */
  scanWorker: string
  /** Where its processes keep their compiled modules. */
  cacheHome: string
}

/**
 * Builds the release of the present sources, unless an earlier call or another process has. A process of the release starts with half of
 * the processor time that one of the sources takes. The folder is named after the content of the sources, and renamed into place.
 */
export async function keepRelease(): Promise<Release> {
  const directory = join(RELEASES, hashSources())
  if (existsSync(directory)) utimesSync(directory, new Date(), new Date())
  else await build(directory)
  return {
    entry: join(directory, 'bin', 'run.js'),
    scanWorker: join(directory, 'dist', 'src', 'scan-job-process.js'),
    cacheHome: join(directory, 'cache'),
  }
}

async function build(directory: string): Promise<void> {
  // Loaded here, because most calls find the release.
  const { buildRelease } = await import('../../scripts/build-release.ts')
  mkdirSync(RELEASES, { recursive: true })
  removeUnused()
  const unfinished = mkdtempSync(join(RELEASES, UNFINISHED))
  await buildRelease({
    root: ROOT,
    target: unfinished,
    programs: { 'scan-job-process': 'test/support/scan-worker.ts' },
  })
  for (const path of COPIED) cpSync(join(ROOT, path), join(unfinished, path), { recursive: true })
  try {
    renameSync(unfinished, directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(directory)) throw error
  }
}

function removeUnused(): void {
  const oldest = Date.now() - UNUSED_MILLISECONDS
  for (const name of readdirSync(RELEASES)) {
    const directory = join(RELEASES, name)
    if ((statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldest) {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

function hashSources(): string {
  const hash = createHash('sha256')
  const entries = globSync(SOURCES, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  for (const path of paths) hash.update(`${path}\n`).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}
