import t from 'tap'
import {
  aacCodecString,
  copiedVideoCodecString,
  encodedVideoCodecString,
  h264Level,
} from '../../../../src/core/streaming/ladder/codec-strings.ts'

void t.test('the level is the lowest whose frame size and macroblock rate cover the video', (t) => {
  const cases: [width: number, height: number, framesPerSecond: number, level: number][] = [
    [176, 144, 15, 10],
    [352, 288, 7, 11],
    [352, 288, 15, 12],
    [352, 288, 30, 13],
    [426, 240, 24, 21],
    [640, 360, 20, 22],
    [640, 360, 24, 30],
    [720, 576, 25, 30],
    [854, 480, 30_000 / 1001, 31],
    [1280, 720, 30, 31],
    [1280, 720, 50, 32],
    [1280, 1024, 24, 32],
    [1920, 1080, 30, 40],
    [1920, 1080, 60, 42],
    [2048, 1080, 24, 42],
    [2560, 1440, 30, 50],
    [3840, 2160, 30, 51],
    [3840, 2160, 60, 52],
    [7680, 4320, 24, 60],
    [7680, 4320, 60, 61],
    [16_384, 8640, 60, 62],
  ]
  for (const [width, height, framesPerSecond, level] of cases) {
    t.equal(h264Level({ width, height, framesPerSecond }), level, `${width}x${height} at ${framesPerSecond}`)
  }
  t.end()
})

void t.test('encoded video has High profile and a hexadecimal level', (t) => {
  const codec = (width: number, height: number) => encodedVideoCodecString({ width, height, framesPerSecond: 24 })
  t.equal(codec(1920, 1080), 'avc1.640028')
  t.equal(codec(2048, 1080), 'avc1.64002A')
  t.equal(codec(3840, 2160), 'avc1.640033')
  t.equal(codec(176, 144), 'avc1.64000B')
  t.end()
})

void t.test('copied video has the profile of its stream, and High if that is unknown', (t) => {
  const codec = (videoProfile: string | null, videoLevel: number | null) =>
    copiedVideoCodecString({ videoProfile, videoLevel, width: 1280, height: 720, framesPerSecond: 25 })
  t.equal(codec('High', 41), 'avc1.640029')
  t.equal(codec('Main', 31), 'avc1.4D401F')
  t.equal(codec('Constrained Baseline', 30), 'avc1.42E01E')
  t.equal(codec('Baseline', 9), 'avc1.420009')
  t.equal(codec(null, null), 'avc1.64001F')
  for (const nonsense of [0, 8, 63, 255]) t.equal(codec('High', nonsense), 'avc1.64001F', String(nonsense))
  for (const rare of ['High 10', 'High 4:2:2', 'High 4:4:4 Predictive', '', '__proto__']) {
    t.equal(codec(rare, 40), undefined, rare)
  }
  t.end()
})

void t.test('copied audio is identified by its AAC profile', (t) => {
  t.equal(aacCodecString('LC'), 'mp4a.40.2')
  t.equal(aacCodecString('HE-AAC'), 'mp4a.40.5')
  t.equal(aacCodecString('HE-AACv2'), 'mp4a.40.29')
  t.equal(aacCodecString(null), 'mp4a.40.2')
  for (const rare of ['Main', 'LTP', 'SSR', 'xHE-AAC']) t.equal(aacCodecString(rare), undefined, rare)
  t.end()
})
