import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createBufferPool, openByteSource, type ByteSource } from '../../src/core/platform/files/byte-source.ts'
import { reachableDirectory } from './directories.ts'

const directories = new WeakMap<Test, string>()
let count = 0

/** A real, opened file with these bytes; closed and removed at the end of the test. */
export function sourceOf(t: Test, bytes: Uint8Array | string): ByteSource {
  const directory = directories.get(t) ?? reachableDirectory(t)
  directories.set(t, directory)
  count += 1
  const path = join(directory, `file-${count}`)
  writeFileSync(path, bytes)
  return sourceAt(t, path)
}

/** Opens the file at an absolute path; closed at the end of the test. */
export function sourceAt(t: Test, path: string): ByteSource {
  const source = openByteSource(createBufferPool(), join(path, '..'), path)
  t.teardown(() => source.close())
  return source
}

/** Pseudo-random bytes, the same for the same seed. */
export function noiseOf(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}
