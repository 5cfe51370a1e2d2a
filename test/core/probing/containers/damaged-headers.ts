import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { readContainerHeaders, type HeaderReadResult } from '../../../../src/core/probing/containers/read-headers.ts'
import { containerCorpus } from '../../../support/container-corpus.ts'
import { memorySource } from '../../../support/memory-source.ts'
import { seededRandom, type SeededRandom } from '../../../support/seeded-random.ts'

/** A position of a header: the first pages, the last ones, or the movie box. */
function headerPlace(bytes: Buffer, roll: SeededRandom['below']): number {
  const movie = Math.max(0, bytes.indexOf('moov'))
  const bases = [0, 0, Math.max(0, bytes.length - 4096), movie, movie]
  return Math.min(bytes.length - 1, (bases[roll(bases.length)] ?? 0) + roll(3000))
}

function mutate(original: Buffer, seed: number): Buffer {
  const { below: roll } = seededRandom(seed)
  let bytes = Buffer.from(original)
  for (let count = 1 + roll(6); count > 0; count -= 1) {
    const place = headerPlace(bytes, roll)
    const kind = roll(8)
    if (kind <= 2) bytes[place] = roll(256)
    if (kind === 3) bytes[place] = (bytes[place] ?? 0) ^ (1 << roll(8))
    if (kind === 4)
      bytes.fill([0x00, 0xff, 0x7f, 0x01][roll(4)] ?? 0, place, Math.min(bytes.length, place + 1 + roll(8)))
    if (kind === 5) bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + roll(64))])
    if (kind === 6) bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(Math.max(0, place - roll(200)))])
    if (kind === 7 && roll(4) === 0) bytes = bytes.subarray(0, Math.max(20, place))
  }
  return bytes
}

/** Damages headers of every container. The seeds of the files are the numbers from `firstSeed`. */
export async function readsDamagedHeaders(
  t: Test,
  { firstSeed, files }: { firstSeed: number; files: number },
): Promise<void> {
  const corpus = await containerCorpus()
  const originals = [...corpus.values()].map((path) => readFileSync(path))
  const faults: string[] = []
  let understood = 0
  for (let seed = firstSeed; seed < firstSeed + files; seed += 1) {
    const bytes = mutate(originals[seed % originals.length] ?? Buffer.alloc(0), seed)
    const source = memorySource(bytes)
    try {
      const { file, unsupportedReason } = readContainerHeaders(source, '/library/film.mkv')
      if (file === undefined ? unsupportedReason === '' : !isSound(file)) faults.push(`seed ${seed}: unsound`)
      if (source.reads > 64 || source.largestRead > bytes.length)
        faults.push(`seed ${seed}: ${source.reads} reads of ${source.largestRead}`)
      if (file !== undefined) understood += 1
    } catch (error) {
      faults.push(`seed ${seed}: ${String(error)}`)
    }
  }
  t.strictSame(faults, [], `seeds ${firstSeed} to ${firstSeed + files - 1}, ${understood} still understood`)
  t.ok(
    understood > files / 20 && understood < files * 0.95,
    `the damage is neither too small nor too great: ${understood}`,
  )
}

/** Values that the catalogue cannot store, or that no player can play. */
function isSound(file: NonNullable<HeaderReadResult['file']>): boolean {
  const numbers = JSON.stringify(file).match(/null|NaN|Infinity/g) ?? []
  return (
    file.durationSeconds > 0 &&
    file.durationSeconds <= 366 * 24 * 3600 &&
    file.streams.length > 0 &&
    file.chapters.every(({ startSeconds, endSeconds }) => startSeconds >= 0 && endSeconds >= startSeconds) &&
    numbers.every((word) => word === 'null')
  )
}
