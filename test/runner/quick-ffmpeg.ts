import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findProgram } from '../../src/core/platform/spawn/index.ts'

/**
 * Debian's ffmpeg links more than 200 libraries. At its start the dynamic linker looks 43,000 symbols up in these libraries, one after the
 * other, which takes longer than most work that tests give to ffmpeg. These libraries define most of the symbols, so a start in which they
 * are searched first takes 70 ms of processor time instead of 115 ms.
 */
const SEARCHED_FIRST: readonly string[] = [
  'libc.so',
  'libm.so',
  'libstdc++.so',
  'libcrypto.so',
  'libepoxy.so',
  'libglib-2.0.so',
  'libgio-2.0.so',
  'libgobject-2.0.so',
  'liblapack.so',
  'libasound.so',
  'libgnutls.so',
  'libnettle.so',
  'libhogweed.so',
  'libgmp.so',
  'libunistring.so',
  'libX11.so',
  'libdbus-1.so',
  'libsystemd.so',
]

const PROGRAMS = ['ffmpeg', 'ffprobe']

/**
 * Writes scripts that start the ffmpeg and ffprobe of the system with another search order of the libraries that they link.
 * @param folder of the scripts
 * @returns PATH with the folder in front
 */
export function quickFfmpegPath(folder: string, path = process.env['PATH'] ?? ''): string {
  mkdirSync(folder, { recursive: true })
  for (const name of PROGRAMS) {
    const program = findProgram(name, path)
    if (program !== null && dirname(program) !== folder) writeStart(join(folder, name), name, program)
  }
  return `${folder}${delimiter}${path}`
}

/** `exec` by name keeps the first word of the command line, by which tests find the process. */
function writeStart(script: string, name: string, program: string): void {
  const libraries = searchedFirst(linkedLibraries(program))
  const lines = [
    '#!/bin/sh',
    `export LD_PRELOAD='${libraries.join(':')}' PATH='${dirname(program)}'`,
    `exec ${name} "$@"`,
    '',
  ]
  const draft = `${script}.${process.pid}`
  writeFileSync(draft, lines.join('\n'))
  chmodSync(draft, 0o755)
  renameSync(draft, script)
}

/** The absolute paths of the libraries that the dynamic linker loads for a program; empty if it is linked statically. */
export function linkedLibraries(program: string): string[] {
  try {
    const listed = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return [...listed.matchAll(/=> (\/\S+)/g)].map(([, library = '']) => library)
  } catch {
    return []
  }
}

function searchedFirst(linked: readonly string[]): string[] {
  return SEARCHED_FIRST.flatMap((name) => linked.filter((library) => library.includes(`/${name}.`)))
}
