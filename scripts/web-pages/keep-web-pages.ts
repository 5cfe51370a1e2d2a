import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltPage, BuiltPages } from './build-web-pages.ts'

const SOURCES = ['src/daemon/web/**/*', 'scripts/web-pages/*.ts', 'package-lock.json']

const UNUSED_MILLISECONDS = 24 * 60 * 60 * 1000

/** The folder is of another account, or on a disk that is read-only or full. */
const UNWRITABLE: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])

/** The pages cannot be written, and there are none of an earlier build. The message is for the person who starts the server. */
export class UnwritablePages extends Error {
  override readonly name = 'UnwritablePages'
}

/**
 * Builds the pages of a checkout into its folder `web-pages`, unless they are those of the present sources. The build takes about 0.2 s, the
 * comparison a few milliseconds. If they cannot be written, those of an earlier build stay.
 * @param warn is told that the pages are those of an earlier build
 * @throws UnwritablePages if there are none
 */
export async function keepWebPages(root: string, warn: (text: string) => void = warnOperator): Promise<void> {
  const target = join(root, 'web-pages')
  const stamp = join(target, 'sources.txt')
  const wanted = fingerprint(root)
  if (read(stamp) === wanted) return
  try {
    await renew(root, target)
    writeFileSync(stamp, wanted)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!UNWRITABLE.has(code)) throw error
    const remedy = `${target} cannot be written (${code}). Run \`npm run pages\` in ${root} as an account that may write there.`
    if (!isComplete(target)) throw new UnwritablePages(`The web pages were not built: ${remedy}`, { cause: error })
    warn(`The web pages are those of an earlier build: ${remedy}`)
  }
}

function warnOperator(text: string): void {
  process.stderr.write(`${text}\n`)
}

async function renew(root: string, target: string): Promise<void> {
  // Loaded here, because most calls find the pages.
  const { buildWebPages } = await import('./build-web-pages.ts')
  const assets = join(target, 'assets')
  markReplaced(assets, assetsOf(readList(target)))
  removeUnused(assets, new Set(assetsOf(await buildWebPages({ root, target }))))
}

/** The list of the last build; empty if there is none. */
function readList(target: string): BuiltPages {
  try {
    return JSON.parse(read(join(target, 'pages.json')) ?? '') as BuiltPages
  } catch {
    return { pages: {}, shared: [] }
  }
}

function assetsOf({ pages, shared }: BuiltPages): string[] {
  const ofPages = Object.values(pages).flatMap(({ style, scripts, laterScripts }) => [style, ...scripts, ...laterScripts])
  return [...ofPages, ...shared]
}

/** Whether there are pages with all of their files: a build may have been interrupted. */
function isComplete(target: string): boolean {
  const list = readList(target)
  const pages = Object.entries(list.pages)
  const isWhole = ([name, { style, scripts }]: [string, BuiltPage]): boolean => {
    const html = read(join(target, `${name}.html`))
    return [style, ...scripts].every((file) => html?.includes(`"/assets/${file}"`) === true)
  }
  return pages.length > 0 && pages.every(isWhole) && assetsOf(list).every((name) => existsSync(join(target, 'assets', name)))
}

/** From names, sizes and times: reading the files would take longer than the build. */
function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: root }).toSorted()) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The time of a file becomes that of its replacement. The build writes those that stay again. */
function markReplaced(folder: string, names: readonly string[]): void {
  const now = new Date()
  for (const name of names) {
    try {
      utimesSync(join(folder, name), now, now)
    } catch {
      // It is missing or of another account: it is only removed sooner.
    }
  }
}

/** A running server may still send files that were replaced in the last day. */
function removeUnused(folder: string, used: ReadonlySet<string>): void {
  const oldest = Date.now() - UNUSED_MILLISECONDS
  for (const name of globSync('*', { cwd: folder })) {
    const path = join(folder, name)
    if (!used.has(name) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) {
      rmSync(path, { force: true })
    }
  }
}
