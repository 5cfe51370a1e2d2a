import { execFileSync } from 'node:child_process'
import { copyFileSync, linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Some file systems allow 65,000 names for one file. */
const LINKS_PER_FILE = 50_000

/**
 * Creates a tree of small real films: twenty films in a folder, a hundred folders in a parent folder. They are hard links to a few files, so
 * that a hundred thousand of them need no space.
 */
export function makeFilmTree(folder: string, fileCount: number): void {
  mkdirSync(join(folder, 'films'), { recursive: true })
  let source = ''
  for (let index = 0; index < fileCount; index += 1) {
    if (index % LINKS_PER_FILE === 0) source = makeFilm(folder, index / LINKS_PER_FILE)
    const title = Math.floor(index / 20)
    const place = join(folder, 'films', `shelf ${Math.floor(title / 100)}`, `Film ${title} (${1950 + (title % 70)})`)
    if (index % 20 === 0) mkdirSync(place, { recursive: true })
    const name = join(place, `Story ${index} of ${title}.mkv`)
    // The first film is a copy, because a bench changes it.
    if (index === 0) copyFileSync(source, name)
    else linkSync(source, name)
  }
}

function makeFilm(folder: string, number: number): string {
  const path = join(folder, `source-${number}.mkv`)
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10', '-f', 'lavfi', '-i', `sine=${300 + number}`]
  const output = ['-t', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '32k']
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...output, path])
  return path
}
