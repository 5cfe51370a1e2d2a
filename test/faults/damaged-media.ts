import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { z } from 'zod'
import type { LibraryType } from '../../src/core/libraries/index.ts'
import { sampleMedia, type SampleKind } from '../support/media.ts'
import { scannedLibrary } from '../support/scanning.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** A library type, and the kinds of files that are damaged for it in rotation. */
export type DamagedLibrary = { type: LibraryType; kinds: readonly SampleKind[] }

export const DAMAGED_LIBRARIES: readonly DamagedLibrary[] = [
  { type: 'movie', kinds: ['film-tiny-mp4', 'film-silent-mp4', 'film-tracks-mkv', 'film-hdr-mkv'] },
  { type: 'music', kinds: ['tagged-mp3', 'tagged-flac', 'tagged-m4a', 'tagged-ogg', 'tagged-opus', 'tagged-wv'] },
  { type: 'photo', kinds: ['photo-jpg'] },
]

/** Parsers read the headers, so most of the damage is there. */
const HEADER_BYTES = 8192

/** Flips bits in a thousandth to a twentieth of the bytes, mostly in the header; every fifth file is also truncated. */
export function damaged(original: Buffer, seed: number): Buffer {
  const { fraction, below } = seededRandom(seed)
  const bytes = Buffer.from(original)
  const count = Math.max(1, Math.floor(Math.min(bytes.length, HEADER_BYTES) * (0.001 + fraction() * 0.05)))
  for (let index = 0; index < count; index += 1) {
    const reach = fraction() < 0.8 ? Math.min(HEADER_BYTES, bytes.length) : bytes.length
    const position = below(reach)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << below(8))
  }
  return seed % 5 === 0 ? bytes.subarray(0, below(bytes.length)) : bytes
}

const COUNTS = z.strictObject({ items: z.number(), unreadable: z.number(), silent: z.number() })

/** Scans a library of damaged files twice. The seeds of the files are consecutive numbers from `firstSeed`. */
export async function scanDamagedFiles(
  t: Test,
  { type, kinds }: DamagedLibrary,
  { firstSeed, files }: { firstSeed: number; files: number },
): Promise<void> {
  const { db, folder, scan } = await scannedLibrary(t, { type })
  const originals = await Promise.all(kinds.map(readSample))
  for (let seed = firstSeed; seed < firstSeed + files; seed += 1) {
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
  t.comment(`${counts.unreadable} of ${files} could not be read; seeds ${firstSeed} to ${firstSeed + files - 1}`)
  t.match(
    await scan(),
    { status: 'completed', itemsUpdated: files },
    'nothing is left behind that a second scan stumbles over',
  )
}

export async function readSample(kind: SampleKind): Promise<{ bytes: Buffer; extension: string }> {
  const path = await sampleMedia(kind)
  return { bytes: readFileSync(path), extension: extname(path) }
}
