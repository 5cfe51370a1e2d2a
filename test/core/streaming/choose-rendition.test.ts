import t from 'tap'
import { chooseRendition, type LadderSource } from '../../../src/core/streaming/choose-rendition.ts'
import { resolveDeviceProfile } from '../../../src/core/streaming/device-profiles.ts'

const PROFILES = ['generic', 'mobile-low', 'mobile-high', 'web', 'tv-4k'] as const

function source(width: number | null, height: number | null, bitrate: number | null = null): LadderSource {
  return { width, height, bitrate, hasAudio: true }
}

function choose(from: LadderSource, profile = 'tv-4k') {
  return chooseRendition(from, resolveDeviceProfile({ profile }))
}

void t.test('the highest rung that the source reaches is taken, up to 1080 lines', (t) => {
  const cases: [width: number, height: number, id: string, shownWidth: number][] = [
    [3840, 2160, '1080p', 1920],
    [1920, 1080, '1080p', 1920],
    [1920, 1079, '720p', 1282],
    [1920, 800, '720p', 1728],
    [1280, 720, '720p', 1280],
    [1024, 576, '480p', 854],
    [720, 480, '480p', 720],
    [641, 361, '360p', 640],
    [608, 1080, '1080p', 608],
    [1080, 1920, '1080p', 608],
    [321, 241, '240p', 320],
  ]
  for (const [width, height, id, shownWidth] of cases) {
    const { id: chosen, width: chosenWidth } = choose(source(width, height))
    t.strictSame([chosen, chosenWidth], [id, shownWidth], `${width}x${height}`)
  }
  t.end()
})

void t.test('a source below the lowest rung keeps its size, made even', (t) => {
  t.match(choose(source(320, 180)), { id: '180p', width: 320, height: 180, videoBitrate: 400_000 })
  t.match(choose(source(321, 181)), { id: '180p', width: 320, height: 180 })
  t.match(choose(source(1, 1)), { id: '2p', width: 2, height: 2 })
  t.end()
})

void t.test('a picture too wide for every rung of the device is made to fit', (t) => {
  const chosen = choose(source(4000, 400), 'mobile-low')
  t.ok(chosen.width <= 854 && chosen.height <= 480, `${chosen.width}x${chosen.height}`)
  t.match(chosen.id, /^[a-z0-9]+$/)
  t.end()
})

void t.test('an unknown size counts as 1080 lines', (t) => {
  t.match(choose(source(null, null)), { id: '1080p', width: 1920, height: 1080 })
  t.match(choose(source(0, 1080)), { id: '1080p', width: 1920, height: 1080 })
  t.end()
})

void t.test('the bit rate never exceeds the known one of the source', (t) => {
  t.equal(choose(source(1920, 1080, 1_234_567)).videoBitrate, 1_234_567)
  t.equal(choose(source(1920, 1080, 50_000_000)).videoBitrate, 5_000_000)
  t.equal(choose(source(1920, 1080, 0)).videoBitrate, 5_000_000, 'nonsense counts as unknown')
  t.end()
})

void t.test('size and advertised bandwidth stay within the device, for every source', (t) => {
  for (const name of PROFILES) {
    const profile = resolveDeviceProfile({ profile: name })
    for (const [width, height] of [
      [7680, 4320],
      [3840, 1600],
      [1920, 1080],
      [1440, 1080],
      [1080, 1920],
      [720, 576],
      [100, 3000],
      [3000, 100],
      [64, 48],
    ] as const) {
      const chosen = chooseRendition(source(width, height), profile)
      const size = `${name}: ${width}x${height} -> ${chosen.width}x${chosen.height}`
      t.ok(chosen.width <= Math.min(profile.maxWidth, width + 1), size)
      t.ok(chosen.height <= Math.min(profile.maxHeight, height), size)
      t.ok(chosen.width % 2 === 0 && chosen.height % 2 === 0 && chosen.height > 0, 'even')
      t.ok(chosen.bitrate <= profile.maxBitrate && chosen.bitrate > chosen.videoBitrate, 'bandwidth')
    }
  }
  t.end()
})

void t.test('the same input gives the same rendition', (t) => {
  t.strictSame(choose(source(1920, 1080, 3_000_000)), choose(source(1920, 1080, 3_000_000)))
  t.strictSame(choose(source(1920, 1080)), {
    kind: 'video',
    id: '1080p',
    label: '1080p',
    width: 1920,
    height: 1080,
    bitrate: 6_286_800,
    videoBitrate: 5_000_000,
    codecs: 'avc1.640028,mp4a.40.2',
    isOriginal: false,
    isCopy: false,
    audio: 'encode',
  })
  t.end()
})
