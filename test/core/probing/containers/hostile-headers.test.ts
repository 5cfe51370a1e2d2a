import { readFileSync } from 'node:fs'
import t from 'tap'
import { readContainerHeaders, type HeaderReadResult } from '../../../../src/core/probing/containers/read-headers.ts'
import { containerCorpus } from '../../../support/container-corpus.ts'
import {
  box,
  chapter,
  chapters,
  CLUSTER,
  EBML,
  element,
  info,
  segmentOf,
  TRACKS,
} from '../../../support/header-bytes.ts'
import { memorySource } from '../../../support/memory-source.ts'
import { readsDamagedHeaders } from './damaged-headers.ts'

/** Limits of `readContainerHeaders` for any file. */
const MAX_READS = 2100
const MAX_READ_BYTES = 16 * 1024 * 1024

function read(bytes: Uint8Array): { reading: HeaderReadResult; reads: number; largestRead: number } {
  const source = memorySource(bytes)
  const reading = readContainerHeaders(source, '/library/film.mkv')
  return { reading, reads: source.reads, largestRead: source.largestRead }
}

/** `npm run soak -- damaged-headers` reads thousands, different ones in each round. */
void t.test('damaged headers are read or rejected, never an exception, in bounded reads', (t) =>
  readsDamagedHeaders(t, { firstSeed: 20_260_000, files: 300 }),
)

void t.test('a file truncated at any byte of its header is read or rejected', async (t) => {
  const corpus = await containerCorpus()
  for (const name of ['chapters.mkv', 'moov-first.mp4', 'languages.mkv', 'fragments.mp4', 'book.m4b']) {
    const bytes = readFileSync(corpus.get(name) ?? '')
    for (let length = 0; length < Math.min(bytes.length, 3000); length += 7) {
      t.doesNotThrow(() => read(bytes.subarray(0, length)), `${name} cut at ${length}`)
    }
  }
})

/** A box with a wrong size. */
function claim(type: string, size: number, content: Uint8Array = new Uint8Array()): Buffer {
  const bytes = box(type, content)
  bytes.writeUInt32BE(size)
  return bytes
}

function longClaim(type: string, size: bigint): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt32BE(1)
  bytes.write(type, 4, 'latin1')
  bytes.writeBigUInt64BE(size, 8)
  return bytes
}

const FTYP = box('ftyp', Buffer.from('isom\0\0\0\0isom'))
const EMPTY = new Uint8Array()

function nested(types: readonly string[], depth: number): Uint8Array {
  let inner: Uint8Array = EMPTY
  for (let level = 0; level < depth; level += 1) inner = box(types[level % types.length] ?? 'moov', inner)
  return inner
}

const BOXES: [claim: string, bytes: () => Uint8Array][] = [
  ['a size of nothing in a loop', () => Buffer.concat([FTYP, claim('moov', 0, claim('trak', 0))])],
  ['a size below its own head', () => Buffer.concat([FTYP, claim('moov', 4)])],
  ['a size of one without the long one', () => Buffer.concat([FTYP, claim('moov', 1)])],
  ['a long size of nothing', () => Buffer.concat([FTYP, longClaim('moov', 0n)])],
  ['a long size of 2^63', () => Buffer.concat([FTYP, longClaim('moov', 2n ** 63n)])],
  ['a long size of 2^64 - 1', () => Buffer.concat([FTYP, longClaim('mdat', 2n ** 64n - 1n)])],
  [
    'a hundred thousand boxes in a row',
    () => Buffer.concat([FTYP, ...Array.from({ length: 100_000 }, () => box('free'))]),
  ],
  [
    'a hundred thousand boxes in the movie',
    () => Buffer.concat([FTYP, box('moov', Buffer.alloc(800_000, box('free')))]),
  ],
  ['a thousand tracks', () => Buffer.concat([FTYP, box('moov', ...Array.from({ length: 1000 }, () => box('trak')))])],
  ['boxes ten thousand deep', () => Buffer.concat([FTYP, nested(['trak', 'moov', 'mdia', 'minf'], 10_000)])],
  ['user data ten thousand deep', () => Buffer.concat([FTYP, box('moov', nested(['meta', 'udta', 'ilst'], 10_000))])],
  ['nothing but zeros', () => Buffer.alloc(1_000_000)],
  ['nothing but ones', () => Buffer.alloc(1_000_000, 0xff)],
  ['a compressed movie', () => Buffer.concat([FTYP, box('moov', box('cmov', Buffer.alloc(100)))])],
]

void t.test('hostile boxes are rejected immediately', (t) => {
  for (const [what, bytes] of BOXES) {
    const { reading, reads } = read(bytes())
    t.equal(reading.file, undefined, `${what}: ${reading.unsupportedReason}`)
    t.ok(reads <= MAX_READS, `${what}: ${reads} reads`)
  }
  t.end()
})

function deepElements(depth: number): Buffer {
  let inner: Buffer = chapter(1, 'x')
  for (let level = 0; level < depth; level += 1) {
    // Long headers on every level would grow quadratically; a size that is too small has the same depth.
    inner = Buffer.concat([Buffer.from([0xb6, 0x01, 0, 0, 0, 0, 0xff, 0xff, 0xff]), inner.subarray(0, 100_000)])
  }
  return inner
}

const ELEMENTS: [claim: string, bytes: () => Uint8Array][] = [
  ['a size of 2^56 - 2 in front', () => element(0x1a_45_df_a3, Buffer.alloc(99), 2n ** 56n - 2n)],
  ['an open size in front', () => element(0x1a_45_df_a3, Buffer.alloc(99), 2n ** 56n - 1n)],
  [
    'a part of 2^56 - 2',
    () => Buffer.concat([EBML, segmentOf(element(0x16_54_ae_6b, EMPTY, 2n ** 56n - 2n), CLUSTER)]),
  ],
  [
    'a part of open size',
    () => Buffer.concat([EBML, segmentOf(element(0x16_54_ae_6b, EMPTY, 2n ** 56n - 1n), CLUSTER)]),
  ],
  ['a hundred thousand parts', () => Buffer.concat([EBML, segmentOf(Buffer.alloc(900_000, element(0xec, EMPTY)))])],
  ['an identifier without a marker', () => Buffer.concat([EBML, segmentOf(Buffer.alloc(64))])],
  [
    'clusters that never hold a block',
    () => Buffer.concat([EBML, segmentOf(info(1), TRACKS, Buffer.alloc(900_000, element(0x1f_43_b6_75, EMPTY)))]),
  ],
  ['a length that is no number', () => Buffer.concat([EBML, segmentOf(info(Number.NaN), TRACKS, CLUSTER)])],
  ['an endless length', () => Buffer.concat([EBML, segmentOf(info(Infinity), TRACKS, CLUSTER)])],
  ['a length of a million years', () => Buffer.concat([EBML, segmentOf(info(3e13), TRACKS, CLUSTER)])],
  [
    'chapters ten thousand deep',
    () => Buffer.concat([EBML, segmentOf(info(1), TRACKS, chapters(deepElements(10_000)), CLUSTER)]),
  ],
]

void t.test('hostile elements are rejected immediately', (t) => {
  for (const [what, bytes] of ELEMENTS) {
    const { reading, reads, largestRead } = read(bytes())
    t.equal(reading.file, undefined, `${what}: ${reading.unsupportedReason}`)
    t.ok(reads <= MAX_READS && largestRead <= MAX_READ_BYTES, `${what}: ${reads} reads`)
  }
  t.end()
})

void t.test('a hundred thousand chapters are limited to a thousand, a title of a megabyte is truncated', (t) => {
  const many = Array.from({ length: 100_000 }, (_, index) => chapter(index + 1, `${index}`))
  const { reading } = read(Buffer.concat([EBML, segmentOf(info(1000), TRACKS, chapters(...many), CLUSTER)]))
  t.equal(reading.file?.chapters.length, 1000, reading.unsupportedReason ?? 'understood')
  t.strictSame(reading.file?.chapters[0], { startSeconds: 0.001, endSeconds: 0.002, title: '0' })
  const long = chapters(chapter(1, 'x'.repeat(2 ** 20)), chapter(2, 'y'))
  const { reading: cut } = read(Buffer.concat([EBML, segmentOf(info(1000), TRACKS, long, CLUSTER)]))
  t.strictSame(
    cut.file?.chapters.map(({ title }) => title?.length),
    [200, 1],
    cut.unsupportedReason ?? 'understood',
  )
  t.end()
})

void t.test('a synthetic file of one track is accepted, so that the cases above fail for their own reason', (t) => {
  const { reading, reads } = read(Buffer.concat([EBML, segmentOf(info(2), TRACKS, CLUSTER)]))
  t.match(reading.file, {
    durationSeconds: 2,
    container: 'mkv',
    streams: [{ type: 'audio', codec: 'pcm_s16le', channels: 1, language: 'eng' }],
    source: null,
  })
  t.equal(reads, 1)
  t.end()
})
