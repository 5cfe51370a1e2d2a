import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['src/daemon/web/**/*', 'scripts/web-pages/*.ts', 'package-lock.json']

const UNUSED_MILLISECONDS = 24 * 60 * 60 * 1000

/**
 * Builds the pages of a checkout into its folder `web-pages`, unless they are those of the present sources. The build takes about 0.2 s, the
 * comparison a few milliseconds.
 */
export async function keepWebPages(root: string): Promise<void> {
  const target = join(root, 'web-pages')
  const stamp = join(target, 'sources.txt')
  const wanted = fingerprint(root)
  if (read(stamp) === wanted) return
  // Loaded here, because most calls find the pages.
  const { buildWebPages } = await import('./build-web-pages.ts')
  const { pages, shared } = await buildWebPages({ root, target })
  const used = Object.values(pages).flatMap(({ style, scripts, laterScripts }) => [style, ...scripts, ...laterScripts])
  removeUnused(join(target, 'assets'), new Set([...used, ...shared]))
  writeFileSync(stamp, wanted)
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

/** A running server may still send the files of yesterday's build. */
function removeUnused(folder: string, used: ReadonlySet<string>): void {
  const oldest = Date.now() - UNUSED_MILLISECONDS
  for (const name of globSync('*', { cwd: folder })) {
    const path = join(folder, name)
    if (!used.has(name) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) {
      rmSync(path, { force: true })
    }
  }
}
