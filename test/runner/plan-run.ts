import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export type PlannedFile = { file: string; isFast: boolean }

/** What starts processes or opens databases. A test file that reaches none of it only computes. */
const SLOW_SUPPORT = /\/support\/(?:browser|daemon|database|disks|media|phlix|programs|services|tagged-audio)\.ts$/
/** Begin first when no run has measured them yet, in this order. */
const SLOW_PLACES = [
  'test/runner/run.test.ts',
  'test/daemon/routes/web-page/',
  'test/browser/',
  'test/faults/',
  'test/daemon/routes/hls/',
  'test/core/streaming/',
  'test/packaging/',
  'test/commands/',
  'test/core/platform/database/',
  'test/daemon/serve.test.ts',
  'test/core/scanning/',
]

/** The test files that the words name: files, folders or patterns below `root`. @throws Error for a word that names none */
export function findTestFiles(root: string, words: readonly string[]): string[] {
  const named = words.length === 0 ? ['test'] : words
  const found = named.flatMap((word) => {
    const path = resolve(root, word)
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const pattern = isFolder ? join(path, '**/*.test.ts') : path
    const files = globSync(pattern)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => relative(root, file))
    if (files.length === 0) throw new Error(`${word} names no test file`)
    return files
  })
  return [...new Set(found)].toSorted()
}

/**
 * The order of a run: first what only computes, then the rest. The longest of the rest begin first, so that no worker is left with
 * a long file while the others have ended.
 * @param lastMilliseconds how long each file took last time, as far as known
 */
export function planRun(
  root: string,
  files: readonly string[],
  lastMilliseconds: ReadonlyMap<string, number>,
): PlannedFile[] {
  const reachesSlowSupport = createReachability(root)
  const rank = (file: string): number => {
    const known = lastMilliseconds.get(file)
    if (known !== undefined) return known
    const place = SLOW_PLACES.findIndex((slow) => file.startsWith(slow))
    return place === -1 ? 0 : 1_000_000 * (SLOW_PLACES.length - place)
  }
  const planned = files.map((file) => ({ file, isFast: !reachesSlowSupport(join(root, file)) }))
  return planned.toSorted((a, b) => Number(b.isFast) - Number(a.isFast) || rank(b.file) - rank(a.file))
}

/** Follows the relative imports inside `test`. Imports of the product count as computing, because tests reach its I/O by support. */
function createReachability(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>()
  const reaches = (file: string): boolean => {
    const answer = known.get(file)
    if (answer !== undefined) return answer
    known.set(file, false)
    const text = readFileSync(file, 'utf8')
    const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => resolve(dirname(file), path))
    const isSlow =
      /from 'node:child_process'/.test(text) ||
      imports.some((path) => SLOW_SUPPORT.test(path) || (path.startsWith(join(root, 'test')) && reaches(path)))
    known.set(file, isSlow)
    return isSlow
  }
  return reaches
}
