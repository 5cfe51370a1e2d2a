import t from 'tap'
import { chooseRendition } from '../../../src/core/streaming/choose-rendition.ts'
import { resolveDeviceProfile } from '../../../src/core/streaming/device-profiles.ts'
import { makeFrameGrid, segmentCount } from '../../../src/core/streaming/frame-grid.ts'
import { masterPlaylist, mediaPlaylist, withAddressQuery } from '../../../src/core/streaming/playlists.ts'

const grid = makeFrameGrid({ frameRate: { numerator: 24_000, denominator: 1001 }, durationSeconds: 20.02 })
const rendition = chooseRendition(
  { width: 1280, height: 720, bitrate: null, hasAudio: true },
  resolveDeviceProfile({ profile: 'web' }),
)

void t.test('the master playlist is byte for byte this', (t) => {
  t.equal(
    masterPlaylist({ renditions: [rendition], grid }),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-STREAM-INF:BANDWIDTH=3593824,RESOLUTION=1280x720,CODECS="avc1.64001F,mp4a.40.2",FRAME-RATE=23.976',
      'media_v720p.m3u8',
      '',
    ].join('\n'),
  )
  t.end()
})

void t.test('renditions stand in the order of their bandwidth', (t) => {
  const low = { ...rendition, id: '240p', bitrate: 500_000 }
  const text = masterPlaylist({ renditions: [low, rendition], grid })
  t.ok(text.indexOf('media_v720p') < text.indexOf('media_v240p'))
  t.end()
})

void t.test('the media playlist is byte for byte this', (t) => {
  t.equal(
    mediaPlaylist({ rendition: '720p', grid }),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-TARGETDURATION:6',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXTINF:6.006000,',
      'seg-v720p-00000.ts',
      '#EXTINF:6.006000,',
      'seg-v720p-00001.ts',
      '#EXTINF:6.006000,',
      'seg-v720p-00002.ts',
      '#EXTINF:2.002000,',
      'seg-v720p-00003.ts',
      '#EXT-X-ENDLIST',
      '',
    ].join('\n'),
  )
  t.end()
})

void t.test('lengths add up to the whole, and none is longer than the target, at every frame rate', (t) => {
  for (const [numerator, denominator] of [
    [24_000, 1001],
    [24, 1],
    [25, 1],
    [30_000, 1001],
    [60_000, 1001],
    [13, 1],
    [7, 1],
    [1, 1],
  ] as const) {
    const long = makeFrameGrid({ frameRate: { numerator, denominator }, durationSeconds: 7265.37 })
    const text = mediaPlaylist({ rendition: 'x', grid: long })
    const target = Number(/TARGETDURATION:(\d+)/.exec(text)?.[1])
    const lengths = [...text.matchAll(/EXTINF:([\d.]+),/g)].map((match) => Number(match[1]))
    t.equal(lengths.length, segmentCount(long))
    t.ok(lengths.every((length) => length > 0 && Math.round(length) <= target))
    const total = (long.frameCount * denominator) / numerator
    t.ok(Math.abs(lengths.reduce((sum, length) => sum + length, 0) - total) < 0.0001, `${numerator}/${denominator}`)
  }
  t.end()
})

void t.test('a clip shorter than half a second has a target duration all the same', (t) => {
  const short = makeFrameGrid({ frameRate: { numerator: 25, denominator: 1 }, durationSeconds: 0.2 })
  t.match(mediaPlaylist({ rendition: 'x', grid: short }), /TARGETDURATION:1\n[^]*EXTINF:0.200000,/)
  t.end()
})

void t.test('every address, and nothing else, gets the query', (t) => {
  const text = withAddressQuery(mediaPlaylist({ rendition: '720p', grid }), 'exp=1&sig=a-b_c')
  const lines = text.split('\n')
  t.equal(lines.filter((line) => line.endsWith('.ts?exp=1&sig=a-b_c')).length, 4)
  t.equal(lines.filter((line) => line.includes('?')).length, 4)
  t.equal(text.replaceAll('?exp=1&sig=a-b_c', ''), mediaPlaylist({ rendition: '720p', grid }))
  t.end()
})
