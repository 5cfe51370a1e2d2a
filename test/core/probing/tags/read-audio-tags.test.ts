import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import type { AudioTags, AudioTagsOutcome } from '../../../../src/core/probing/tags/audio-tags.ts'
import { readAudioTags } from '../../../../src/core/probing/tags/read-audio-tags.ts'
import { noiseOf, sourceAt, sourceOf } from '../../../support/byte-sources.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia, type SampleKind } from '../../../support/media.ts'
import { block, box, chapter, codeUnits, flac, frame, id3, mpegFrames, named, picture, text } from './tag-writer.ts'

async function tagsOf(t: Test, bytes: Uint8Array, name = 'song.mp3'): Promise<AudioTags> {
  return expectTags(await readAudioTags({ source: sourceOf(t, bytes), name }))
}

async function sampleTags(t: Test, kind: SampleKind): Promise<AudioTags> {
  const path = await sampleMedia(kind)
  return expectTags(await readAudioTags({ source: sourceAt(t, path), name: basename(path) }))
}

function expectTags(outcome: AudioTagsOutcome): AudioTags {
  if (outcome.kind === 'read') return outcome.tags
  throw new Error(`${outcome.code}: ${outcome.reason}`)
}

async function codeOf(t: Test, bytes: Uint8Array, name = 'song.mp3'): Promise<string> {
  const outcome = await readAudioTags({ source: sourceOf(t, bytes), name })
  return outcome.kind === 'read' ? 'read' : outcome.code
}

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noiseBuffer(500)])

function noiseBuffer(length: number): Buffer {
  return Buffer.from(noiseOf(7, length))
}

const FORMATS = [
  ['tagged-mp3', 'MPEG 1 Layer 3'],
  ['tagged-flac', 'FLAC'],
  ['tagged-m4a', 'MPEG-4/AAC'],
  ['tagged-ogg', 'Vorbis I'],
  ['tagged-opus', 'Opus'],
  ['tagged-wav', 'PCM'],
  ['tagged-aiff', 'PCM'],
  ['tagged-wv', 'PCM'],
  ['tagged-wma', 'Windows Media Audio V8'],
  ['tagged-mka', 'OPUS'],
] as const satisfies readonly (readonly [SampleKind, string])[]

for (const [kind, codec] of FORMATS) {
  void t.test(`${kind} gives its names, numbers and sound`, async (t) => {
    const tags = await sampleTags(t, kind)
    const { sound } = tags
    t.match(tags, { title: 'Tone', artist: 'Oscillator', artists: ['Oscillator'], year: 2004 })
    t.strictSame(tags.genres, ['Electronic', 'Ambient'])
    t.equal(tags.trackNumber, 3)
    t.equal(sound.codec, codec)
    t.ok(Math.abs(sound.durationSeconds - 20) < 0.1, `${sound.durationSeconds} s`)
    t.ok((sound.bitrate ?? 0) > 1000, `${sound.bitrate} b/s`)
    t.equal(sound.sampleRateHz, 48_000)
    t.strictSame(tags.pictures, [])
  })
}

void t.test('what only some formats can hold is read from them', async (t) => {
  for (const kind of ['tagged-mp3', 'tagged-flac', 'tagged-ogg', 'tagged-opus', 'tagged-wma'] as const) {
    const tags = await sampleTags(t, kind)
    t.match(
      tags,
      { album: 'Waves', albumArtist: 'Bench', composers: ['Hertz'], discNumber: 1, isCompilation: true },
      kind,
    )
  }
  for (const kind of ['tagged-mp3', 'tagged-flac', 'tagged-opus', 'tagged-wv', 'tagged-wma', 'tagged-mka'] as const) {
    const { audiobook } = await sampleTags(t, kind)
    t.match(audiobook, { series: 'Saga', narrators: ['Reader'], isAudiobook: false }, kind)
  }
  const { audiobook, ...m4a } = await sampleTags(t, 'tagged-m4a')
  t.match(m4a, { albumArtist: 'Bench', trackCount: 12, discNumber: 1, discCount: 2, isCompilation: true })
  t.strictSame(audiobook.narrators, ['Hertz'], 'the composer is the narrator without a narrator tag')
})

void t.test('few reads are sufficient, wherever the tags are', async (t) => {
  for (const [kind] of FORMATS) {
    const path = await sampleMedia(kind)
    const source = sourceAt(t, path)
    await readAudioTags({ source, name: basename(path) })
    t.ok(source.reads <= 16, `${kind}: ${source.reads} reads`)
  }
})

void t.test('the format is detected from the content, not from the name', async (t) => {
  const bytes = readFileSync(await sampleMedia('tagged-flac'))
  for (const name of ['song.mp3', 'song', 'song.m4a', 'a.constructor', '.__proto__']) {
    t.equal((await tagsOf(t, bytes, name)).sound.codec, 'FLAC', name)
  }
  const behindId3 = Buffer.concat([id3([text('TIT2', 'In front')]), bytes])
  t.equal((await tagsOf(t, behindId3, 'song.flac')).sound.codec, 'FLAC', 'behind an ID3 tag the name decides')
})

void t.test('chapters of an m4b are read with its index in front or at the end', async (t) => {
  const { chapters, sound } = await sampleTags(t, 'audiobook-m4b')
  t.strictSame(
    chapters.map(({ title, startSeconds }) => [title, startSeconds]),
    [
      ['Opening', 0],
      ['The rest', 1.5],
    ],
  )
  t.equal(chapters[0]?.endSeconds, 1.5)
  t.ok(Math.abs((chapters[1]?.endSeconds ?? 0) - sound.durationSeconds) < 0.2)
})

void t.test('chapters of ID3 and of Vorbis comments are read in the order of time', async (t) => {
  const tag = id3([
    text('TIT2', 'Book'),
    chapter('b', 1000, 2000),
    chapter('a', 0, 1000),
    chapter('late', 9_000_000, 9_100_000),
  ])
  const mp3 = await tagsOf(t, Buffer.concat([tag, await mpegFrames()]))
  t.strictSame(mp3.chapters, [
    { startSeconds: 0, endSeconds: 1, title: 'Part a' },
    { startSeconds: 1, endSeconds: 2, title: 'Part b' },
  ])
  const comments = ['CHAPTER002=00:00:04.500', 'CHAPTER001=00:00:00.000', 'CHAPTER001NAME=One', 'CHAPTER003=nonsense']
  t.strictSame((await tagsOf(t, flac(comments), 'a.flac')).chapters, [
    { startSeconds: 0, endSeconds: 4.5, title: 'One' },
    { startSeconds: 4.5, endSeconds: 10, title: null },
  ])
})

void t.test('the mark of songs that are not for children is read, and that of cleaned versions is none', async (t) => {
  const frames = await mpegFrames()
  for (const [value, isExplicit] of [
    ['1', true],
    ['4', true],
    ['2', false],
    ['0', false],
    ['yes', false],
  ] as const) {
    const mp3 = await tagsOf(t, Buffer.concat([id3([named('ITUNESADVISORY', value)]), frames]))
    t.equal(mp3.isExplicit, isExplicit, `ID3: ${value}`)
    const vorbis = await tagsOf(t, flac([`ITUNESADVISORY=${value}`]), 'a.flac')
    t.equal(vorbis.isExplicit, isExplicit, `Vorbis: ${value}`)
  }
  t.equal((await tagsOf(t, frames)).isExplicit, false)
})

void t.test('series, narrators and identifiers are found under the names that programs give them', async (t) => {
  const uuid = 'B1A9C0E9-D987-4042-AE91-78D6A3267D69'
  const tag = id3([
    text('TIT2', 'Book'),
    text('MVNM', 'The Saga'),
    text('MVIN', '2/7'),
    named('NARRATOR', 'Ann Reader, Bob Voice'),
    named('ASIN', 'b00abcdefg'),
    named('MusicBrainz Album Id', uuid),
    named('MusicBrainz Artist Id', 'not an id'),
    named('REPLAYGAIN_TRACK_GAIN', '-6.50 dB'),
  ])
  const tags = await tagsOf(t, Buffer.concat([tag, await mpegFrames()]))
  t.match(tags.audiobook, {
    series: 'The Saga',
    seriesPart: '2',
    narrators: ['Ann Reader', 'Bob Voice'],
    asin: 'B00ABCDEFG',
  })
  t.equal(tags.musicBrainz.release, uuid.toLowerCase())
  t.strictSame(tags.musicBrainz.artists, [])
  t.equal(tags.replayGain.trackGain, -6.5)
})

void t.test('pictures are identified by hash and first bytes, and returned only on request', async (t) => {
  const song = Buffer.concat([
    id3([picture('image/png', JPEG), picture('image/svg+xml', Buffer.from('<svg/>'))]),
    await mpegFrames(),
  ])
  const sha256 = createHash('sha256').update(JPEG).digest('hex')
  const { pictures } = await tagsOf(t, song)
  t.strictSame(pictures, [{ mime: 'image/jpeg', sizeBytes: JPEG.length, sha256, isFrontCover: true }])
  const full = expectTags(await readAudioTags({ source: sourceOf(t, song), name: 'a.mp3', withPictures: true }))
  t.strictSame(Buffer.from(full.pictures[0]?.bytes ?? []), JPEG)
})

void t.test('NUL, lone surrogates and control characters leave every text (TG-01)', async (t) => {
  const tag = id3([
    codeUnits('TIT2', [0x41, 0xd800, 0x42, 0xdc00, 0x43]),
    codeUnits('TPE1', [0xd83d, 0xde00, 0x20, 0xdfff]),
    text('TALB', 'Line\u0001\u001B[2J one\nnext\t'),
    named('SERIES', 'e\u0301'),
  ])
  const tags = await tagsOf(t, Buffer.concat([tag, await mpegFrames()]))
  t.equal(tags.title, 'A\uFFFDB\uFFFDC', 'halves that the decoder has replaced')
  t.equal(tags.artist, '😀 \uFFFD')
  t.equal(tags.album, 'Line [2J one next')
  t.equal(tags.audiobook.series, 'é', 'composed')
  t.ok(JSON.stringify(tags).isWellFormed())
  t.notMatch(JSON.stringify(tags), /\\u0000|\\ud[89a-f]/i)
})

void t.test('markup and SQL are text like any other (TG-01)', async (t) => {
  const nasty = `<img src=x onerror=1>'; drop table media_items; --`
  const tags = await tagsOf(t, Buffer.concat([id3([text('TIT2', nasty)]), await mpegFrames()]))
  t.equal(tags.title, nasty)
})

void t.test('megabytes of lyrics, title and comment are cut or dropped (TG-01)', async (t) => {
  const long = 'la '.repeat(1_700_000)
  const lyrics = frame('USLT', Buffer.concat([Buffer.from('\u0003eng\0', 'latin1'), Buffer.from(long)]))
  const tag = id3([lyrics, text('TIT2', 'x'.repeat(2_000_000)), text('TCOM', '😀'.repeat(1000))])
  const tags = await tagsOf(t, Buffer.concat([tag, await mpegFrames()]))
  t.equal(tags.title?.length, 1024)
  t.equal(tags.composers[0], '😀'.repeat(512), 'a cut parts no pair')
  t.ok(JSON.stringify(tags).length < 10_000)
})

void t.test('ten thousand texts and endless lists cost no more than their reading (TG-01)', async (t) => {
  const frames = await mpegFrames()
  const many = Array.from({ length: 10_000 }, (_, index) => named(`KEY${index}`, 'value'))
  t.equal((await tagsOf(t, Buffer.concat([id3([text('TIT2', 'Many'), ...many]), frames]))).title, 'Many')
  const list = (id: string, length: number): Buffer =>
    text(id, Array.from({ length }, (_, index) => `g${index}`).join('\0'))
  t.equal((await tagsOf(t, Buffer.concat([id3([list('TCON', 2000)]), frames]))).genres.length, 200)
  t.equal(await codeOf(t, Buffer.concat([id3([list('TCON', 300_000)]), frames])), 'too_large')
  t.equal(await codeOf(t, Buffer.concat([id3([list('TPE1', 10_000)]), frames])), 'too_large')
  const recursion = text('TCON', '((((('.repeat(3000))
  t.equal(await codeOf(t, Buffer.concat([id3([recursion]), frames])), 'read')
})

void t.test('sizes beyond the file are refused before allocation (TG-01)', async (t) => {
  const frames = await mpegFrames()
  const before = process.memoryUsage().rss
  t.equal(await codeOf(t, Buffer.concat([id3([text('TIT2', 'x')], 250_000_000), frames])), 'damaged')
  const cover = frame('APIC', Buffer.from('\0image/jpeg\0\u0003\0x', 'latin1'), 268_000_000)
  t.match(await codeOf(t, Buffer.concat([id3([cover]), frames])), /read|damaged/)
  t.match(await codeOf(t, flac(['TITLE=x'], [block(6, Buffer.from('x'), 16_777_215)]), 'a.flac'), /read|damaged|no_/)
  const movie = box(
    'moov',
    box('udta', box('meta', box('ilst', box('covr', Buffer.alloc(16), 500_000_000)))),
    500_000_000,
  )
  t.match(await codeOf(t, Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0M4A ')), movie]), 'a.m4a'), /damaged|no_/)
  t.ok(process.memoryUsage().rss - before < 256 * 1024 * 1024)
})

void t.test('a real tag of 70 MB is too large, a cover of 40 MB is dropped', async (t) => {
  const frames = await mpegFrames()
  const directory = reachableDirectory(t)
  const path = join(directory, 'large.mp3')
  copyFileSync(await sampleMedia('song-mp3'), path)
  const cover = Buffer.concat([
    id3([text('TIT2', 'Cover'), picture('image/jpeg', Buffer.concat([JPEG, Buffer.alloc(40 * 1024 * 1024)]))]),
    frames,
  ])
  const tags = await tagsOf(t, cover)
  t.equal(tags.title, 'Cover')
  t.strictSame(tags.pictures, [])
  t.equal(await codeOf(t, Buffer.concat([id3([frame('PRIV', Buffer.alloc(70_000_000))]), frames])), 'too_large')
  appendFileSync(path, Buffer.alloc(1_000_000))
  t.equal(
    (await readAudioTags({ source: sourceAt(t, path), name: 'large.mp3' })).kind,
    'read',
    'garbage after the audio is harmless',
  )
})

void t.test('empty, random and foreign files are unreadable; of truncated ones the rest is read (M19)', async (t) => {
  t.equal(await codeOf(t, new Uint8Array()), 'empty')
  for (const seed of [1, 2, 3, 4, 5]) {
    t.not(await codeOf(t, noiseOf(seed, 300_000)), 'read', `noise ${seed}`)
    t.not(await codeOf(t, noiseOf(seed, 300_000), 'a.flac'), 'read')
  }
  t.equal(await codeOf(t, Buffer.from('<html>'), 'page.ogg'), 'unknown_format')
  t.not(await codeOf(t, Buffer.from('ID3'), 'a.mp3'), 'read')
  for (const [kind] of FORMATS) {
    const path = await sampleMedia(kind)
    const bytes = readFileSync(path)
    for (const length of [1, 4, 12, 40, 200, 1000, 5000]) {
      const outcome = await readAudioTags({ source: sourceOf(t, bytes.subarray(0, length)), name: basename(path) })
      t.match(outcome.kind, /read|unreadable/, `${kind} cut to ${length}`)
    }
  }
})

void t.test('damaged bytes never throw (FZ-01)', async (t) => {
  for (const [kind] of FORMATS) {
    const path = await sampleMedia(kind)
    for (const seed of [11, 12, 13, 14]) {
      const bytes = readFileSync(path)
      const noise = noiseOf(seed, 200)
      for (let index = 0; index < 100; index += 1)
        bytes[((noise[index * 2] ?? 0) * 16 + index) % 4096] = noise[index * 2 + 1] ?? 0
      const outcome = await readAudioTags({ source: sourceOf(t, bytes), name: basename(path) })
      t.match(outcome.kind, /read|unreadable/, `${kind} ${seed}`)
    }
  }
})

void t.test('numbers out of bounds are null: years, positions, gains', async (t) => {
  const frames = await mpegFrames()
  const read = (...list: readonly Buffer[]): Promise<AudioTags> => tagsOf(t, Buffer.concat([id3(list), frames]))
  t.match(await read(text('TDRC', '0000'), text('TRCK', '0/0')), { year: null, trackNumber: null, trackCount: null })
  t.match(await read(text('TRCK', '0'), text('TPOS', '0/2')), { trackNumber: null, discNumber: null, discCount: 2 })
  t.match(await read(text('TDRC', 'soon'), text('TRCK', '9999999/3')), {
    year: null,
    trackNumber: null,
    trackCount: 3,
  })
  t.match(await read(text('TRCK', '7/3'), text('TPOS', '-1')), { trackNumber: 7, trackCount: null, discNumber: null })
  t.match(await read(text('TDRC', '9999-12-31')), { year: 9999, date: '9999-12-31' })
  t.match((await read(named('REPLAYGAIN_TRACK_GAIN', '1e300 dB'), named('REPLAYGAIN_TRACK_PEAK', 'NaN'))).replayGain, {
    trackGain: null,
    trackPeak: null,
  })
})

void t.test('a hidden track before the first is number 0, recognised by the track count', async (t) => {
  const frames = await mpegFrames()
  const read = (...list: readonly Buffer[]): Promise<AudioTags> => tagsOf(t, Buffer.concat([id3(list), frames]))
  t.match(await read(text('TRCK', '0/12')), { trackNumber: 0, trackCount: 12 })
  t.match(await read(text('TRCK', '00/12')), { trackNumber: 0, trackCount: 12 })
  t.match(await read(text('TRCK', '/12')), { trackNumber: null, trackCount: 12 })
  const vorbis = (...comments: string[]): Promise<AudioTags> => tagsOf(t, flac(comments), 'a.flac')
  t.match(await vorbis('TRACKNUMBER=0', 'TRACKTOTAL=12'), { trackNumber: 0, trackCount: 12 })
  t.match(await vorbis('TRACKNUMBER=0'), { trackNumber: null })
})

void t.test('an Opus gain against -23 LUFS becomes one against -18', async (t) => {
  const { replayGain } = await tagsOf(t, flac(['R128_TRACK_GAIN=-256', 'R128_ALBUM_GAIN=99999']), 'a.flac')
  t.match(replayGain, { trackGain: 4, albumGain: null })
})
