import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import type { LibraryType } from '../../src/core/libraries/index.ts'
import { sampleMedia, type SampleKind } from '../support/media.ts'
import { scannedLibrary } from '../support/scanning.ts'

/** What is damaged, and how many files each library gets; 2,000 in all. The seed of a file is its number. */
const LIBRARIES: readonly { type: LibraryType; files: number; seeds: readonly SampleKind[] }[] = [
  { type: 'movie', files: 900, seeds: ['film-tiny-mp4', 'film-silent-mp4', 'film-tracks-mkv', 'film-hdr-mkv'] },
  {
    type: 'music',
    files: 800,
    seeds: ['tagged-mp3', 'tagged-flac', 'tagged-m4a', 'tagged-ogg', 'tagged-opus', 'tagged-wv'],
  },
  { type: 'photo', files: 300, seeds: ['photo-jpg'] },
]

/** Headers are where parsers live: most of the damage goes there. */
const HEADER_BYTES = 8192

/** Numbers that look random and are the same in every run (Marsaglia, Xorshift RNGs, 2003). */
function createDice(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Flips bits in a thousandth to a twentieth of the bytes, mostly of the header; every fifth file is cut somewhere too. */
function damaged(original: Buffer, seed: number): Buffer {
  const roll = createDice(seed)
  const bytes = Buffer.from(original)
  const count = Math.max(1, Math.floor(Math.min(bytes.length, HEADER_BYTES) * (0.001 + roll() * 0.05)))
  for (let index = 0; index < count; index += 1) {
    const reach = roll() < 0.8 ? Math.min(HEADER_BYTES, bytes.length) : bytes.length
    const position = Math.floor(roll() * reach)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << Math.floor(roll() * 8))
  }
  return seed % 5 === 0 ? bytes.subarray(0, Math.floor(roll() * bytes.length)) : bytes
}

const COUNTS = z.strictObject({ items: z.number(), unreadable: z.number(), silent: z.number() })

for (const { type, files, seeds } of LIBRARIES) {
  void t.test(
    `${files} damaged files of a ${type} library are read or reported with a reason, and the job completes (FZ-01)`,
    async (t) => {
      const { db, folder, scan } = await scannedLibrary(t, { type })
      const originals = await Promise.all(seeds.map(async (kind) => readSample(kind)))
      for (let seed = 0; seed < files; seed += 1) {
        const original = originals[seed % originals.length]
        if (original === undefined) continue
        const place = join(folder, `Damaged ${seed % 40} (2001)`)
        mkdirSync(place, { recursive: true })
        writeFileSync(join(place, `file ${seed}${original.extension}`), damaged(original.bytes, seed))
      }
      const job = await scan()
      t.match(job, { status: 'completed', itemsFound: files, itemsAdded: files })
      const counts = await db.one(sql.type(COUNTS)`
      select count(*) as items, count(probe_error) as unreadable, count(*) filter (where probe_error = '') as silent
      from media_items where path is not null`)
      t.equal(counts.items, files, 'every file has its row')
      t.equal(counts.silent, 0, 'no reason is empty')
      t.equal(job.itemsFailed, counts.unreadable, 'and every reason is counted')
      t.comment(`${counts.unreadable} of ${files} could not be read; seeds 0 to ${files - 1}`)
      t.match(
        await scan(),
        { status: 'completed', itemsUpdated: files },
        'nothing is left behind that a second scan stumbles over',
      )
    },
  )
}

async function readSample(kind: SampleKind): Promise<{ bytes: Buffer; extension: string }> {
  const path = await sampleMedia(kind)
  return { bytes: readFileSync(path), extension: extname(path) }
}
