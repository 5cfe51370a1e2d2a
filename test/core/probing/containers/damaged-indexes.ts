import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { readStreamIndex } from '../../../../src/core/probing/containers/read-stream-index.ts'
import { sampleMedia } from '../../../support/media.ts'
import { memorySource } from '../../../support/memory-source.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

/** Changes some bytes, most of them in the tables. */
function damage(original: Buffer, seed: number): Buffer {
  const bytes = Buffer.from(original)
  const tables = ['stts', 'ctts', 'stss', 'elst', 'mdhd', '\u001CS\u00BBk'].map((name) =>
    bytes.indexOf(name, 0, 'latin1'),
  )
  const { below: roll } = seededRandom(seed)
  for (let count = 1 + roll(5); count > 0; count -= 1) {
    const at = tables[roll(tables.length)] ?? -1
    const place = (at < 0 ? roll(bytes.length) : at + roll(60)) % bytes.length
    bytes[place] = [0, 0xff, 0x7f, roll(256)][roll(4)] ?? 0
  }
  return roll(10) === 0 ? bytes.subarray(0, roll(bytes.length)) : bytes
}

/** Damages the tables of films. The seeds of the files are the numbers from `firstSeed`. */
export async function readsDamagedIndexes(
  t: Test,
  { firstSeed, files }: { firstSeed: number; files: number },
): Promise<void> {
  const kinds = ['film-tiny-mp4', 'film-silent-mp4', 'film-tracks-mkv'] as const
  const originals = await Promise.all(kinds.map(async (kind) => readFileSync(await sampleMedia(kind))))
  const faults: string[] = []
  let understood = 0
  for (let seed = firstSeed; seed < firstSeed + files; seed += 1) {
    const source = memorySource(damage(originals[seed % originals.length] ?? Buffer.alloc(0), seed))
    try {
      const { index } = readStreamIndex(source, 0)
      if (index !== undefined) understood += 1
      const keys = index?.keyFrameMicroseconds ?? []
      const isSound = keys.every((at, place) => at >= (keys[place - 1] ?? index?.firstMicroseconds ?? 0))
      if (!isSound) faults.push(`${seed}: key frames out of order`)
      if (source.reads > 2100 || source.largestRead > 16 * 1024 * 1024) faults.push(`${seed}: ${source.reads} reads`)
    } catch (error) {
      faults.push(`${seed}: ${String(error)}`)
    }
  }
  t.strictSame(faults.slice(0, 5), [])
  t.ok(understood > files / 15 && understood < files, `${understood} are still understood`)
}
