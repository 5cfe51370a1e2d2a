import t from 'tap'
import { resolveDeviceProfile } from '../../../../src/core/streaming/job/device-profiles.ts'
import type { MediaStream } from '../../../../src/core/catalogue/index.ts'
import type { StreamIndex } from '../../../../src/core/probing/index.ts'
import { copiedBitRates } from '../../../../src/core/streaming/plan/copied-bit-rates.ts'
import { planStream, type PlanInput } from '../../../../src/core/streaming/plan/plan-stream.ts'
import { loadFilmSource, type FilmSource } from '../../../../src/core/streaming/source/film-source.ts'
import { sampleMedia, type SampleKind } from '../../../support/media.ts'
import { planFor } from '../support.ts'
import { audioStream } from '../../../support/audio-stream.ts'

const FILM: FilmSource = {
  width: 1920,
  height: 800,
  bitrate: null,
  videoCodec: 'h264',
  videoProfile: 'High',
  videoLevel: 40,
  pixelFormat: 'yuv420p',
  rotationDegrees: 0,
  isCuttable: null,
  copiedRates: null,
  hasAdditionalAudio: false,
  hasAudio: true,
  audioCodec: 'aac',
  audioProfile: 'LC',
  audioBitrate: 128_000,
  audioChannels: 2,
  audioSampleRate: 48_000,
  videoStreamIndex: 0,
  audioStreamIndex: 1,
  isInterlaced: false,
  colorTransfer: null,
  frameRate: '24000/1001',
  containerStartSeconds: 0,
  videoStartSeconds: 0.021,
  audioStartSeconds: 0,
  durationSeconds: 90.021,
  container: 'mkv',
}

const file = { path: '/films/a.mkv', root: '/films', sizeBytes: 1, modifiedAtNanoseconds: '1' }
const profile = resolveDeviceProfile({ profile: 'web' })
const NOTHING: PlanInput = { file, profile, streams: [], subtitles: [], index: undefined, mapsTones: true }
const plan = (film: Partial<FilmSource>, input: Partial<PlanInput> = {}) =>
  planStream({ ...FILM, ...film }, { ...NOTHING, ...input })

void t.test('the grid begins with the first video frame and ends with the file', (t) => {
  t.strictSame(plan({}).grid, {
    frameRate: { numerator: 24_000, denominator: 1001 },
    framesPerSegment: 144,
    frameCount: 2158,
  })
  t.equal(plan({}).source.videoStartMicroseconds, 21_000)
  const late = plan({
    containerStartSeconds: 5000,
    videoStartSeconds: 5001.4,
    durationSeconds: 61.4,
    frameRate: '25/1',
  })
  t.equal(late.grid.frameCount, 1500)
  t.equal(plan({ durationSeconds: 0.01 }).grid.frameCount, 1, 'at least one frame')
  t.end()
})

void t.test('timestamps that Matroska rounds are corrected if the packet size is known', (t) => {
  const snap = (film: Partial<FilmSource>) => plan(film).source.audioTracks[0]?.snap
  t.strictSame(snap({}), { granuleSamples: 1024, phaseSamples: -1008 })
  t.strictSame(snap({ audioCodec: 'opus' }), { granuleSamples: 240, phaseSamples: -1008 })
  for (const container of ['mp4', 'ts', 'ogg']) t.equal(snap({ container }), null, `${container} does not round`)
  for (const container of ['webm', 'wmv', 'flv']) t.ok(snap({ container }), `${container} rounds`)
  t.strictSame(snap({ audioCodec: 'pcm_s16le' }), { granuleSamples: 1, phaseSamples: -1008 }, 'packets of any size')
  t.equal(snap({ audioSampleRate: null }), null)
  t.equal(snap({ audioStartSeconds: null }), null)
  t.end()
})

/** A key frame every four seconds, and one distance of nine. */
const INDEX: StreamIndex = {
  streamIndex: 0,
  firstMicroseconds: 21_000,
  endMicroseconds: 90_027_000,
  frameCount: 2158,
  hasConstantRate: true,
  keyFrameMicroseconds: [0, 4, 8, 17, 21, 25, 29, 31, 36, 42, 44, 50, 60, 66, 88].map((at) => at * 1_000_000 + 21_000),
  jumps: [],
  keyFrameBytes: Array.from({ length: 15 }, () => 1_000_000),
}

void t.test('copied video is cut at the first key frame of every six seconds', (t) => {
  const { copy, renditions, grid } = plan({}, { index: INDEX })
  t.match(renditions[0], { id: 'original', isCopy: true, audio: 'copy' })
  t.strictSame(copy, {
    boundariesMicroseconds: [0, 8, 17, 21, 25, 31, 36, 42, 50, 60, 66, 88].map((at) => at * 1_000_000),
    endMicroseconds: 90_006_583,
    halfFrameMicroseconds: 20_854,
  })
  t.equal(grid.frameCount, 2158, 'the frames that were counted')
  t.end()
})

void t.test('a copy announces what the bytes between key frames make of its segments', (t) => {
  // 8 s, 9 s, then two groups of 4 s each, one of 6 s …; the last segment, of 2 s, counts together with its predecessor.
  const { copy } = plan({}, { index: INDEX })
  const rates = (bytes: readonly number[]) =>
    copy === null ? null : copiedBitRates({ ...INDEX, keyFrameBytes: bytes }, { copy, zero: 21_000 })
  const even = INDEX.keyFrameMicroseconds.map(() => 0)
  t.strictSame(rates(even.with(0, 1_000_000)), { peak: 1_000_000, average: 88_883 }, '8 s')
  t.strictSame(rates(even.with(1, 500_000).with(0, 500_000)), { peak: 1_000_000, average: 88_883 }, 'two groups of it')
  t.strictSame(rates(even.with(14, 1_000_000)), { peak: 333_242, average: 88_883 }, '2.006 s with the one before')
  t.end()
})

void t.test('without suitable key frames nothing is copied', (t) => {
  const cases: [why: string, index: StreamIndex | undefined][] = [
    ['no stored index', undefined],
    ['none', { ...INDEX, keyFrameMicroseconds: [] }],
    ['the first frame is none', { ...INDEX, keyFrameMicroseconds: INDEX.keyFrameMicroseconds.slice(1) }],
    ['half a minute and more between', { ...INDEX, keyFrameMicroseconds: [21_000, 30_022_000, 60_000_000] }],
    ['another stream', { ...INDEX, streamIndex: 2 }],
    ['no length', { ...INDEX, endMicroseconds: 21_000 }],
    [
      'a clock that jumps',
      { ...INDEX, jumps: [{ atMicroseconds: 30_000_000, byMicroseconds: 20_000_000, position: null }] },
    ],
  ]
  for (const [why, index] of cases) {
    const { copy, renditions } = plan({}, { index })
    t.equal(copy, null, why)
    t.match(renditions[0], { id: '720p', isOriginal: true, isCopy: false }, why)
  }
  t.equal(plan({ videoCodec: 'hevc' }, { index: INDEX }).copy, null, 'a picture that cannot be')
  t.end()
})

void t.test('the frame count is used if it is that of the output, else the duration', (t) => {
  const frames = (film: Partial<FilmSource>, index: Partial<StreamIndex>) =>
    plan(film, { index: { ...INDEX, ...index } }).grid.frameCount
  t.equal(frames({}, { frameCount: 2157 }), 2157)
  t.equal(frames({}, { frameCount: 1000 }), 2158, 'the rate of the source is another one')
  t.equal(frames({}, { frameCount: null }), 2158)
  t.equal(frames({}, { hasConstantRate: false, frameCount: 2159 }), 2158)
  t.equal(frames({ isInterlaced: true }, { frameCount: 2159 }), 2158)
  t.equal(frames({ durationSeconds: 95.021 }, {}), 2278, 'audio continues after the video')
  t.end()
})

const sound = (index: number, more: Partial<MediaStream> = {}): MediaStream =>
  audioStream(index, { details: { sampleRate: 48_000, startSeconds: 0 }, ...more })

void t.test('each additional audio track is a separate rendition; video carries the default track', (t) => {
  const streams = [
    sound(1, { language: 'eng', isDefault: true }),
    sound(2, { language: 'ger', details: { sampleRate: 48_000, startSeconds: 1 } }),
    sound(3, { codec: 'flac', title: 'Commentary', details: {} }),
  ]
  const { source, renditions } = plan({}, { streams })
  t.match(source.audioTracks, [
    { streamIndex: 1, language: 'en', isDefault: true, snap: { phaseSamples: -1008 } },
    { streamIndex: 2, language: 'de', isDefault: false, snap: { phaseSamples: 46_992 } },
    { streamIndex: 3, title: 'Commentary', isDefault: false, snap: null },
  ])
  const further = { kind: 'audio', bitrate: 249_681, averageBitrate: 216_915, codecs: 'mp4a.40.2' }
  t.strictSame(
    renditions.filter(({ kind }) => kind === 'audio'),
    [
      { ...further, id: 'a2', streamIndex: 2, language: 'de', label: 'German · stereo' },
      { ...further, id: 'a3', streamIndex: 3, language: 'und', label: 'Track 3 · stereo · Commentary' },
    ],
  )
  t.equal(plan({ audioStreamIndex: 2 }, { streams }).source.audioTracks[1]?.isDefault, true, 'the track of the film')
  t.strictSame(plan({ hasAudio: false, audioStreamIndex: null }, { streams }).source.audioTracks, [])
  t.match(plan({}).source.audioTracks, [{ streamIndex: 1, isDefault: true, label: 'Track 1' }], 'streams not known')
  t.end()
})

void t.test('the seek margin is large without an index', (t) => {
  t.equal(plan({ container: 'mp4' }).source.seekMarginSeconds, 0.5)
  t.equal(plan({ container: 'ts' }).source.seekMarginSeconds, 12)
  t.equal(plan({ container: '' }).source.seekMarginSeconds, 12)
  t.end()
})

void t.test('only the two known HDR transfer functions are tone-mapped', (t) => {
  t.equal(plan({ colorTransfer: 'smpte2084' }).source.hdrTransfer, 'smpte2084')
  t.equal(plan({ colorTransfer: 'arib-std-b67' }).source.hdrTransfer, 'arib-std-b67')
  t.equal(plan({ colorTransfer: 'bt709' }).source.hdrTransfer, null)
  t.equal(plan({ colorTransfer: 'smpte2084' }, { mapsTones: false }).source.hdrTransfer, null, 'nor where it is off')
  t.equal(plan({ colorTransfer: 'x:t=1,movie=/etc/passwd' }).source.hdrTransfer, null)
  t.end()
})

void t.test('a film with an unsupported video codec is refused by name, one with an unknown codec is tried', (t) => {
  t.throws(() => plan({ videoCodec: 'magicyuv' }), {
    code: 'not_transcodable',
    message: /magicyuv, which is not decoded/,
  })
  for (const videoCodec of ['HEVC', 'avc1', 'msmpeg4v3', null]) t.ok(plan({ videoCodec }), `${videoCodec}`)
  t.end()
})

void t.test('a film with more segments than five digits can count is refused', (t) => {
  t.throws(() => plan({ durationSeconds: 366 * 24 * 3600 }), { code: 'not_transcodable' })
  t.end()
})

void t.test('stored profiles are validated', (t) => {
  const item = { metadata: { source: { ...FILM } }, fileSeconds: 90, container: 'mkv' }
  t.match(loadFilmSource(item), { width: 1920, durationSeconds: 90 })
  for (const broken of [
    { ...item, metadata: {} },
    { ...item, metadata: { source: null } },
    { ...item, metadata: { source: { width: 1920, height: 1080 } } },
    { ...item, metadata: { source: { ...FILM, videoStreamIndex: '0; rm' } } },
    { ...item, fileSeconds: null },
    { ...item, fileSeconds: 0 },
  ]) {
    t.equal(loadFilmSource(broken), undefined)
  }
  t.end()
})

void t.test('sizes are display sizes', async (t) => {
  const cases: [kind: SampleKind, width: number, height: number][] = [
    ['film-rotated-mp4', 136, 240],
    ['film-anamorphic-mkv', 854, 480],
    ['film-hdr-mkv', 320, 180],
  ]
  for (const [kind, width, height] of cases) {
    t.match((await planFor(await sampleMedia(kind))).renditions, [{ width, height }], kind)
  }
})
