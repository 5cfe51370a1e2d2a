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
  number,
  segmentOf,
  TRACKS,
} from '../../../support/header-bytes.ts'
import { memorySource } from '../../../support/memory-source.ts'

/** Structures that other programs write and ffmpeg does not. */
function read(...parts: Uint8Array[]): HeaderReadResult {
  return readContainerHeaders(memorySource(Buffer.concat(parts)), '/library/film.mkv')
}

/** 384 kbit/s, 48 kHz, 5.1: the first bytes of an AC-3 frame (ETSI TS 102 366 4.3). */
const AC3 = Buffer.from([0x0b, 0x77, 0, 0, 0x1c, 0x40, 0xeb, 0, 0, 0])
const SURROUND = { codec: 'ac3', channels: 6, channelLayout: '5.1(side)', bitrate: 384_000, sampleRate: 48_000 }

function soundTrack(...more: Uint8Array[]): Buffer {
  const fields = [number(0xd7, 1), number(0x73_c5, 1), number(0x83, 2), element(0x86, Buffer.from('A_AC3')), ...more]
  return element(0x16_54_ae_6b, element(0xae, Buffer.concat(fields)))
}

function cluster(...block: Uint8Array[]): Buffer {
  return element(0x1f_43_b6_75, Buffer.concat([number(0xe7, 40), element(0xa3, Buffer.concat(block))]))
}

/** A block of track 1 at 5 units with the given lacing. */
const blockHead = (lacing: number): Buffer => Buffer.from([0x81, 0, 5, 0x80 | lacing])

void t.test('a track with header stripping is read with its stripped header', (t) => {
  const settings = Buffer.concat([number(0x42_54, 3), element(0x42_55, AC3.subarray(0, 2))])
  const encoding = element(0x62_40, Buffer.concat([number(0x50_32, 1), element(0x50_34, settings)]))
  const stripped = segmentOf(info(9), soundTrack(element(0x6d_80, encoding)), cluster(blockHead(0), AC3.subarray(2)))
  t.match(read(EBML, stripped).file?.streams, [SURROUND])
  const squeezed = element(0x62_40, element(0x50_34, number(0x42_54, 0)))
  const reading = read(EBML, segmentOf(info(9), soundTrack(element(0x6d_80, squeezed)), cluster(blockHead(0), AC3)))
  t.match(reading.unsupportedReason, /compressed/)
  t.end()
})

void t.test('blocks of several frames are read after their lace sizes', (t) => {
  const laces: [name: string, lacing: number, sizes: number[]][] = [
    ['Xiph', 2, [1, 10]],
    ['Xiph with a long size', 2, [1, 255, 4]],
    ['fixed', 4, [1]],
    ['EBML', 6, [2, 0x8a, 0xbf]],
    ['EBML with a size of two bytes', 6, [1, 0x40, 0x0a]],
  ]
  for (const [name, lacing, sizes] of laces) {
    const reading = read(
      EBML,
      segmentOf(info(9), soundTrack(), cluster(blockHead(lacing), Buffer.from(sizes), AC3, AC3)),
    )
    t.match(reading.file?.streams, [SURROUND], `${name}: ${reading.unsupportedReason ?? 'understood'}`)
  }
  t.end()
})

void t.test('void and checksum elements are skipped, clusters may have unknown size', (t) => {
  const [empty, checksum] = [element(0xec, Buffer.alloc(300)), element(0xbf, Buffer.alloc(4))]
  const open = element(
    0x1f_43_b6_75,
    Buffer.concat([checksum, number(0xe7, 0), element(0xa3, Buffer.concat([blockHead(0), AC3]))]),
    2n ** 56n - 1n,
  )
  const reading = read(EBML, segmentOf(empty, info(9), soundTrack(checksum, empty), empty, open))
  t.match(reading.file, { durationSeconds: 9, streams: [SURROUND] })
  t.end()
})

/** A seek head with positions relative to the start of the segment. */
function seekHead(...entries: [id: number, position: number][]): Buffer {
  const seeks = entries.map(([id, position]) => {
    const name = Buffer.alloc(4)
    name.writeUInt32BE(id)
    return element(0x4d_bb, Buffer.concat([element(0x53_ab, name), number(0x53_ac, position)]))
  })
  return element(0x11_4d_9b_74, Buffer.concat(seeks))
}

const CHAPTERS_ID = 0x10_43_a7_70
const SEEK_HEAD_ID = 0x11_4d_9b_74
const TWO = chapters(chapter(1, 'one'), chapter(2, 'two'))

void t.test('parts after the clusters are found through the seek head, also through a second one', (t) => {
  const head = seekHead([CHAPTERS_ID, 0]).length
  const before = Buffer.concat([info(9), TRACKS, CLUSTER])
  const direct = read(EBML, segmentOf(seekHead([CHAPTERS_ID, head + before.length]), before, TWO))
  t.strictSame(
    direct.file?.chapters.map(({ title }) => title),
    ['one', 'two'],
    direct.unsupportedReason ?? 'understood',
  )
  const place = head + before.length
  const second = seekHead([CHAPTERS_ID, place + head])
  const further = read(EBML, segmentOf(seekHead([SEEK_HEAD_ID, place]), before, second, TWO))
  t.equal(further.file?.chapters.length, 2, further.unsupportedReason ?? 'understood')
  const circle = read(EBML, segmentOf(seekHead([SEEK_HEAD_ID, place]), before, seekHead([SEEK_HEAD_ID, 0])))
  t.equal(circle.file?.chapters.length, 0, 'a circle ends')
  t.match(read(EBML, segmentOf(seekHead([CHAPTERS_ID, 99_999]), before)).unsupportedReason, /ends before/)
  t.match(read(EBML, segmentOf(seekHead([CHAPTERS_ID, 3]), before)).unsupportedReason, /./)
  t.end()
})

/** A modified movie box of a corpus file. */
async function movieOf(name: string, change: (movie: Buffer) => void = () => {}): Promise<Buffer> {
  const bytes = readFileSync((await containerCorpus()).get(name) ?? '')
  const at = bytes.indexOf('moov') - 4
  const movie = Buffer.from(bytes.subarray(at, at + bytes.readUInt32BE(at)))
  change(movie)
  return movie
}

const FTYP = box('ftyp', Buffer.from('isom\0\0\0\0isom'))

void t.test('a movie box behind media data with a long size is found', async (t) => {
  const long = Buffer.alloc(1016)
  long.writeUInt32BE(1)
  long.write('mdat', 4, 'latin1')
  long.writeBigUInt64BE(1016n, 8)
  const movie = await movieOf('moov-last.mp4')
  t.match(read(FTYP, long, box('free'), movie).file?.streams, [{ codec: 'h264' }, { codec: 'aac' }])
  t.match(read(long, movie).file?.container, 'mp4', 'old files begin with their media data')
  t.match(read(FTYP, long).unsupportedReason, /without a movie box/)
})

void t.test('Macintosh language codes have names, and unspecified ones have none', async (t) => {
  for (const [code, language] of [
    [0, 'eng'],
    [2, 'ger'],
    [11, 'jpn'],
    [29, null],
    [300, null],
    [0x7f_ff, null],
    [0x55_c4, null],
    [0x15_c7, 'eng'],
  ] as const) {
    const movie = await movieOf('silent.mp4', (bytes) => bytes.writeUInt16BE(code, bytes.indexOf('mdhd') + 24))
    t.equal(read(FTYP, movie).file?.streams[0]?.language, language, `${code}`)
  }
})

void t.test('titles of chapters in UTF-16 are read, and one that is longer than its sample is not', async (t) => {
  const bytes = readFileSync((await containerCorpus()).get('chapters.m4a') ?? '')
  const withoutNero = Buffer.from(bytes.toString('latin1').replace('chpl', 'free'), 'latin1')
  const at = withoutNero.indexOf('\x00\x07Opening', 0, 'latin1')
  const titles = (sample: number[]): (string | null)[] => {
    const changed = Buffer.from(withoutNero)
    changed.set(sample, at)
    return read(changed).file?.chapters.map(({ title }) => title) ?? []
  }
  t.equal(titles([0, 6, 0xfe, 0xff, 0, 0x41, 0x04, 0x16])[0], 'AЖ', 'big-endian')
  t.equal(titles([0, 6, 0xff, 0xfe, 0x41, 0, 0x16, 0x04])[0], 'AЖ', 'little-endian')
  t.equal(titles([0, 7])[0], 'Opening')
  t.equal(titles([0xff, 0xff])[0], 'Ünïcode – the middle', 'the first one is left out')
})
