import t from 'tap'
import { chooseLadder, explainLadder } from '../../../../src/core/streaming/ladder/choose-ladder.ts'
import { evaluateAudioCopy, findVideoCopyObstacle } from '../../../../src/core/streaming/ladder/copy-rules.ts'
import { resolveDeviceProfile } from '../../../../src/core/streaming/job/device-profiles.ts'
import type { LadderSource } from '../../../../src/core/streaming/ladder/ladder-source.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { keepsPromises } from '../random-ladders.ts'

/** A film that could be copied except for its codec. */
const FILM: LadderSource = {
  width: 1920,
  height: 1080,
  bitrate: 6_000_000,
  frameRate: '24/1',
  videoCodec: 'hevc',
  videoProfile: 'Main',
  videoLevel: 120,
  pixelFormat: 'yuv420p',
  rotationDegrees: 0,
  hasAudio: true,
  audioCodec: 'ac3',
  audioProfile: null,
  audioBitrate: 384_000,
  audioChannels: 6,
  isCuttable: null,
  copiedRates: null,
  hasAdditionalAudio: false,
}

const H264 = { videoCodec: 'h264', videoProfile: 'High', videoLevel: 40 }
const AAC = { audioCodec: 'aac', audioProfile: 'LC', audioBitrate: 128_000, audioChannels: 2 }

function ladder(film: Partial<LadderSource>, profile = 'tv-4k') {
  return chooseLadder({ ...FILM, ...film }, resolveDeviceProfile({ profile }))
}

const idsOf = (renditions: readonly { id: string }[]) => renditions.map(({ id }) => id).join(' ')

void t.test('the same source and profile give the same ladder', (t) => {
  t.strictSame(ladder({}), ladder({}))
  t.strictSame(ladder({ ...H264, ...AAC })[0], {
    kind: 'video',
    id: 'original',
    label: 'Original (1080p)',
    width: 1920,
    height: 1080,
    bitrate: 7_469_851,
    averageBitrate: 6_334_425,
    videoBitrate: 6_000_000,
    codecs: 'avc1.640028,mp4a.40.2',
    isOriginal: true,
    isCopy: true,
    audio: 'copy',
  })
  t.strictSame(ladder({})[1], {
    kind: 'video',
    id: '720p',
    label: '720p',
    width: 1280,
    height: 720,
    bitrate: 3_844_039,
    averageBitrate: 3_100_825,
    videoBitrate: 2_800_000,
    codecs: 'avc1.64001F,mp4a.40.2',
    isOriginal: false,
    isCopy: false,
    audio: 'encode',
  })
  t.end()
})

void t.test('a rung higher than the source is dropped', (t) => {
  const cases: [width: number, height: number, ids: string][] = [
    [3840, 2160, '2160p 1440p 1080p 720p 480p 360p 240p'],
    [3840, 1600, '1440p 1080p 720p 480p 360p 240p'],
    [1920, 1080, '1080p 720p 480p 360p 240p'],
    [1920, 1079, '720p 480p 360p 240p'],
    [1920, 800, '720p 480p 360p 240p'],
    [1024, 576, '480p 360p 240p'],
    [640, 360, '360p 240p'],
    [320, 240, '240p'],
  ]
  for (const [width, height, ids] of cases) t.equal(idsOf(ladder({ width, height })), ids, `${width}x${height}`)
  t.end()
})

void t.test('no rung has a higher bit rate than the video of the source', (t) => {
  const rates = (bitrate: number | null) => ladder({ bitrate }).map(({ videoBitrate }) => videoBitrate)
  t.strictSame(rates(1_234_567), [1_234_567, 1_234_567, 1_234_567, 800_000, 400_000])
  t.strictSame(rates(50_000_000), [5_000_000, 2_800_000, 1_400_000, 800_000, 400_000])
  t.strictSame(rates(null), rates(50_000_000), 'not known')
  t.strictSame(rates(0), rates(null), 'nonsense counts as not known')
  t.end()
})

void t.test('neither size nor advertised bandwidth exceeds the limits of the device', (t) => {
  const film = { width: 3840, height: 2160, bitrate: 60_000_000 }
  const cases: [profile: string, ids: string, topVideoBitrate: number][] = [
    ['tv-4k', '2160p 1440p 1080p 720p 480p 360p 240p', 16_000_000],
    ['web', '1080p 720p 480p 360p 240p', 5_000_000],
    ['generic', '1080p 720p 480p 360p 240p', 5_000_000],
    ['mobile-high', '1080p 720p 480p 360p 240p', 4_882_335],
    ['mobile-low', '480p 360p 240p', 1_354_227],
  ]
  for (const [profile, ids, videoBitrate] of cases) {
    const found = ladder(film, profile)
    t.equal(idsOf(found), ids, profile)
    t.equal(found[0]?.videoBitrate, videoBitrate, profile)
  }
  t.equal(idsOf(ladder({ width: 2560, height: 720 }, 'web')), '480p 360p 240p', 'a rung too wide for the device')
  t.end()
})

void t.test('a copy announces the peak of its segments, limited to that of the device', (t) => {
  const original = (peak: number, profile: string) =>
    ladder({ ...H264, ...AAC, copiedRates: { peak, average: 6_128_000 } }, profile)[0]
  t.match(original(7_000_000, 'web'), { bitrate: 7_240_981, averageBitrate: 6_334_425 })
  t.match(original(48_000_000, 'web'), { bitrate: 12_000_000, averageBitrate: 6_334_425 })
  t.match(
    original(6_200_000, 'web'),
    { bitrate: 6_650_077 },
    'its place is the first one, and its bandwidth no other’s',
  )
  t.end()
})

void t.test('widths keep the aspect ratio, and are even', (t) => {
  const widths = (width: number, height: number) => ladder({ width, height }).map((rendition) => rendition.width)
  t.strictSame(widths(1920, 1080), [1920, 1280, 854, 640, 426])
  t.strictSame(widths(1440, 1080), [1440, 960, 640, 480, 320])
  t.strictSame(widths(1920, 800), [1728, 1152, 864, 576])
  t.strictSame(widths(608, 1080), [608, 406, 270, 202, 136])
  t.strictSame(widths(1919, 1080), [1918, 1280, 852, 640, 426], 'never wider than the source')
  t.end()
})

void t.test('a ladder always has a rung', (t) => {
  t.match(ladder({ width: 320, height: 180 }), [{ id: '180p', width: 320, height: 180, videoBitrate: 400_000 }])
  t.match(ladder({ width: 321, height: 181 }), [{ id: '180p', width: 320, height: 180 }])
  t.match(ladder({ width: 1, height: 1 }), [{ id: '2p', width: 2, height: 2 }])
  t.match(ladder({ width: 4000, height: 400 }, 'mobile-low'), [{ id: '84p', width: 854, height: 84 }])
  t.end()
})

void t.test('a source of unknown size counts as 1080 lines and is not copied', (t) => {
  for (const size of [
    { width: null, height: null },
    { width: 0, height: 1080 },
    { width: 1920, height: null },
  ]) {
    const found = ladder({ ...H264, ...AAC, ...size })
    t.equal(idsOf(found), '1080p 720p 480p 360p 240p')
    t.match(found[0], { width: 1920, height: 1080, isCopy: false, isOriginal: true })
  }
  t.end()
})

void t.test('renditions are in descending order, also by bandwidth', (t) => {
  for (const bitrate of [300_000, 700_000, 3_000_000, 9_000_000, null]) {
    const found = ladder({ ...H264, ...AAC, audioBitrate: 32_000, bitrate })
    t.equal(idsOf(found), 'original 1080p 720p 480p 360p 240p')
    const rates = found.map((rendition) => rendition.bitrate)
    t.strictSame(
      rates,
      rates.toSorted((a, b) => b - a),
    )
  }
  t.end()
})

void t.test('codecs are High profile at the lowest level, and AAC-LC if there is audio', (t) => {
  t.equal(ladder({ width: 3840, height: 2160 })[0]?.codecs, 'avc1.640033,mp4a.40.2')
  t.equal(ladder({})[0]?.codecs, 'avc1.640028,mp4a.40.2')
  t.equal(ladder({ frameRate: '60/1' })[0]?.codecs, 'avc1.64002A,mp4a.40.2')
  t.match(ladder({ hasAudio: false })[0], { codecs: 'avc1.640028', audio: 'none' })
  t.end()
})

void t.test('the original is a copy if the video can be copied', (t) => {
  for (const videoCodec of ['h264', 'avc1', 'avc', 'H264']) {
    t.match(ladder({ ...H264, ...AAC, videoCodec })[0], { id: 'original', isCopy: true }, videoCodec)
  }
  t.match(ladder({ ...H264, ...AAC, width: 1918, height: 803, videoProfile: 'Main', videoLevel: 41 })[0], {
    label: 'Original (803p)',
    width: 1918,
    height: 803,
    videoBitrate: 6_000_000,
    codecs: 'avc1.4D4029,mp4a.40.2',
  })
  t.match(ladder({ ...H264, bitrate: null })[0], { id: 'original', videoBitrate: 5_000_000 }, 'rate not known')
  t.end()
})

void t.test('without a copy the original is the highest rung under another label, once', (t) => {
  const cases: [why: string, film: Partial<LadderSource>, profile?: string][] = [
    ['another kind of picture', { videoCodec: 'hevc' }],
    ['unknown kind of picture', { videoCodec: null }],
    ['ten bits', { pixelFormat: 'yuv420p10le' }],
    ['4:2:2', { pixelFormat: 'yuv422p' }],
    ['a rare profile', { videoProfile: 'High 10' }],
    ['turned', { rotationDegrees: 90 }],
    ['no key frames to cut at', { isCuttable: false }],
    ['too large for the device', { width: 3840, height: 2160 }, 'web'],
    ['too many bits for the device', { bitrate: 11_000_000 }, 'web'],
  ]
  for (const [why, film, profile] of cases) {
    const found = ladder({ ...H264, ...AAC, ...film }, profile)
    t.match(found[0], { label: 'Original (best available)', isOriginal: true, isCopy: false }, why)
    t.equal(found[0]?.id, found[0]?.height === 2160 ? '2160p' : '1080p', why)
    t.equal(found.filter(({ isOriginal }) => isOriginal).length, 1, why)
    t.equal(new Set(found.map(({ id }) => id)).size, found.length, why)
  }
  t.end()
})

void t.test('video and audio are copied independently of each other', (t) => {
  const cases: [film: Partial<LadderSource>, isCopy: boolean, audio: string, codecs: string][] = [
    [{ ...H264, ...AAC }, true, 'copy', 'avc1.640028,mp4a.40.2'],
    [{ ...H264, ...AAC, audioProfile: 'HE-AAC' }, true, 'copy', 'avc1.640028,mp4a.40.5'],
    [{ ...H264 }, true, 'encode', 'avc1.640028,mp4a.40.2'],
    [{ ...H264, ...AAC, audioProfile: 'Main' }, true, 'encode', 'avc1.640028,mp4a.40.2'],
    [{ ...H264, ...AAC, audioChannels: 12 }, true, 'encode', 'avc1.640028,mp4a.40.2'],
    [{ ...H264, hasAudio: false }, true, 'none', 'avc1.640028'],
    [{ ...H264, ...AAC, audioCodec: 'mp4a' }, true, 'copy', 'avc1.640028,mp4a.40.2'],
    [{ ...AAC }, false, 'encode', 'avc1.640028,mp4a.40.2'],
    [{ ...AAC, audioProfile: 'HE-AAC' }, false, 'encode', 'avc1.640028,mp4a.40.2'],
    [{}, false, 'encode', 'avc1.640028,mp4a.40.2'],
  ]
  for (const [film, isCopy, audio, codecs] of cases) {
    const [first, ...rest] = ladder(film)
    t.match(first, { isCopy, audio, codecs }, JSON.stringify(film))
    t.ok(
      rest.every((rendition) => !rendition.isCopy && rendition.audio !== 'copy'),
      'of the others nothing is',
    )
  }
  t.strictSame(
    evaluateAudioCopy({ ...FILM, ...AAC }),
    { codec: 'mp4a.40.2', bitrate: 128_000 },
    'whatever the picture is',
  )
  t.match(findVideoCopyObstacle({ ...FILM, ...AAC }), 'hevc')
  t.end()
})

void t.test('every rung is explained, kept or dropped', (t) => {
  const steps = explainLadder({ ...FILM, bitrate: 2_000_000 }, resolveDeviceProfile({ profile: 'mobile-low' }))
  t.strictSame(
    steps.map(({ id, rendition, reason }) => [id, rendition?.label ?? null, reason]),
    [
      ['original', null, 'replaced by 480p, the best available: the picture is hevc, not H.264'],
      ['2160p', null, 'higher than the source, which has 1080 lines'],
      ['1440p', null, 'higher than the source, which has 1080 lines'],
      ['1080p', null, 'larger than 854x480, which mobile-low is limited to'],
      ['720p', null, 'larger than 854x480, which mobile-low is limited to'],
      ['480p', 'Original (best available)', 'as many bits as mobile-low is limited to'],
      ['360p', '360p', 'fits source and device'],
      ['240p', '240p', 'fits source and device'],
    ],
  )
  const reasons = (film: Partial<LadderSource>) =>
    explainLadder({ ...FILM, ...film }, resolveDeviceProfile({ profile: 'tv-4k' })).map(({ reason }) => reason)
  t.equal(reasons({ ...H264 })[0], 'picture copied; sound encoded: it is ac3, not AAC')
  t.equal(reasons({ ...H264, ...AAC })[0], 'picture copied; sound copied')
  t.equal(reasons({ ...H264, hasAudio: false })[0], 'picture copied; no sound')
  t.equal(reasons({ bitrate: 1_000_000 })[3], 'as many bits as the source has')
  t.match(reasons({ width: 100, height: 100 }).at(-1), /^no rung fits/)
  t.end()
})

/** `npm run soak -- ladders` runs thousands of cases. */
void t.test('the invariants of ladders hold for random sources', (t) => {
  keepsPromises(t, { random: seededRandom(20_261_121), sources: 500 })
  t.end()
})
