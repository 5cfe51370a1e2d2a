import t from 'tap'
import { codecString, h264Level } from '../../../src/core/streaming/codec-string.ts'

void t.test('the level is the lowest whose largest frame covers the picture', (t) => {
  const cases: [width: number, height: number, level: number][] = [
    [176, 144, 10],
    [352, 288, 11],
    [426, 240, 21],
    [640, 360, 22],
    [720, 576, 22],
    [854, 480, 22],
    [960, 540, 31],
    [1280, 720, 31],
    [1280, 1024, 32],
    [1920, 1080, 40],
    [2048, 1080, 42],
    [2560, 1440, 50],
    [3840, 2160, 51],
    [7680, 4320, 62],
  ]
  for (const [width, height, level] of cases) t.equal(h264Level({ width, height }), level, `${width}x${height}`)
  t.end()
})

void t.test('the codec string names High profile, the level in hexadecimal, and AAC-LC', (t) => {
  t.equal(codecString({ width: 1920, height: 1080, hasAudio: true }), 'avc1.640028,mp4a.40.2')
  t.equal(codecString({ width: 2048, height: 1080, hasAudio: true }), 'avc1.64002A,mp4a.40.2')
  t.equal(codecString({ width: 3840, height: 2160, hasAudio: true }), 'avc1.640033,mp4a.40.2')
  t.equal(codecString({ width: 176, height: 144, hasAudio: false }), 'avc1.64000A')
  t.end()
})
