import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findProgram } from '../../src/core/platform/spawn/index.ts'
import { linkedLibraries, quickFfmpegPath } from './quick-ffmpeg.ts'

const SYSTEM = '/usr/local/bin:/usr/bin:/bin'

void t.test('the scripts start the programs of the system, with no library that these do not link', (t) => {
  const folder = t.testdir()
  const path = quickFfmpegPath(folder, SYSTEM)
  t.equal(path, `${folder}:${SYSTEM}`)
  for (const name of ['ffmpeg', 'ffprobe']) {
    const script = join(folder, name)
    t.equal(findProgram(name, path), script)
    const version = (program: string) => execFileSync(program, ['-version'], { encoding: 'utf8' })
    const program = findProgram(name, SYSTEM) ?? ''
    t.equal(version(script), version(program))
    const preloaded = /LD_PRELOAD='([^']*)'/.exec(readFileSync(script, 'utf8'))?.[1]?.split(':').filter(Boolean) ?? []
    const linked = new Set(linkedLibraries(program))
    t.strictSame(
      preloaded.filter((library) => !linked.has(library)),
      [],
    )
  }
  t.end()
})

void t.test('words of the command line reach the program unchanged', (t) => {
  const folder = t.testdir()
  quickFfmpegPath(folder, SYSTEM)
  const title = `a "b" 'c' $(d) ; *`
  const words = ['-v', 'error', '-f', 'lavfi', '-i', 'anullsrc', '-t', '0.1', '-metadata', `title=${title}`]
  const listed = execFileSync(join(folder, 'ffmpeg'), [...words, '-f', 'ffmetadata', '-'], { encoding: 'utf8' })
  t.match(listed.replaceAll('\\', ''), `title=${title}`)
  t.end()
})

void t.test('a program that links no library, and one that is missing, stay as they are', (t) => {
  t.strictSame(linkedLibraries('/bin/no-such-program'), [])
  const folder = t.testdir()
  t.equal(quickFfmpegPath(folder, '/nowhere'), `${folder}:/nowhere`)
  t.equal(findProgram('ffmpeg', `${folder}:/nowhere`), null)
  t.end()
})
