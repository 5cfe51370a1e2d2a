import t from 'tap'
import { resolveDeviceProfile } from '../../../src/core/streaming/device-profiles.ts'
import { planStream } from '../../../src/core/streaming/plan-stream.ts'
import { readFilmSource, requireFilmSource, type FilmSource } from '../../../src/core/streaming/source-profile.ts'
import { sampleMedia, type SampleKind } from '../../support/media.ts'
import { planFor } from './support.ts'

const FILM: FilmSource = {
  width: 1920,
  height: 800,
  bitrate: null,
  hasAudio: true,
  audioCodec: 'aac',
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
const plan = (film: Partial<FilmSource>) =>
  planStream({ ...FILM, ...film }, { file, profile: resolveDeviceProfile({ profile: 'web' }) })

void t.test('the grid begins with the first frame of the picture and ends with the file', (t) => {
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

void t.test('times that Matroska rounds are put back where the packet size is known', (t) => {
  const snap = (film: Partial<FilmSource>) => plan(film).source.audioTracks[0]?.snap
  t.strictSame(snap({}), { granuleSamples: 1024, phaseSamples: -1008 })
  t.strictSame(snap({ audioCodec: 'opus' }), { granuleSamples: 120, phaseSamples: -1008 })
  t.equal(snap({ container: 'mp4' }), null, 'other containers do not round')
  t.equal(snap({ audioCodec: 'flac' }), null, 'a codec without constant packets')
  t.equal(snap({ audioSampleRate: null }), null)
  t.equal(snap({ audioStartSeconds: null }), null)
  t.equal(snap({ audioCodec: 'opus', audioSampleRate: 192_000 }), null, 'finer than the rounding')
  t.end()
})

void t.test('reading begins far ahead where there is no index', (t) => {
  t.equal(plan({ container: 'mp4' }).source.seekMarginSeconds, 0.5)
  t.equal(plan({ container: 'ts' }).source.seekMarginSeconds, 12)
  t.equal(plan({ container: '' }).source.seekMarginSeconds, 12)
  t.end()
})

void t.test('only the two known curves of high dynamic range are mapped', (t) => {
  t.equal(plan({ colorTransfer: 'smpte2084' }).source.hdrTransfer, 'smpte2084')
  t.equal(plan({ colorTransfer: 'arib-std-b67' }).source.hdrTransfer, 'arib-std-b67')
  t.equal(plan({ colorTransfer: 'bt709' }).source.hdrTransfer, null)
  t.equal(plan({ colorTransfer: 'x:t=1,movie=/etc/passwd' }).source.hdrTransfer, null)
  t.end()
})

void t.test('a film of more segments than five digits can count is refused', (t) => {
  t.throws(() => plan({ durationSeconds: 366 * 24 * 3600 }), { code: 'not_transcodable' })
  t.end()
})

void t.test('what a database holds is not taken on trust', (t) => {
  const item = { metadata: { source: { ...FILM } }, durationSeconds: 90, container: 'mkv' }
  t.match(readFilmSource(item), { width: 1920, durationSeconds: 90 })
  for (const broken of [
    { ...item, metadata: {} },
    { ...item, metadata: { source: null } },
    { ...item, metadata: { source: { width: 1920, height: 1080 } } },
    { ...item, metadata: { source: { ...FILM, videoStreamIndex: '0; rm' } } },
    { ...item, durationSeconds: null },
    { ...item, durationSeconds: 0 },
  ]) {
    t.equal(readFilmSource(broken), undefined)
    t.throws(() => requireFilmSource(broken), { code: 'not_transcodable' })
  }
  t.end()
})

void t.test('sizes are those that are shown', async (t) => {
  const cases: [kind: SampleKind, width: number, height: number][] = [
    ['film-rotated-mp4', 136, 240],
    ['film-anamorphic-mkv', 854, 480],
    ['film-hdr-mkv', 320, 180],
  ]
  for (const [kind, width, height] of cases) {
    t.match((await planFor(await sampleMedia(kind))).renditions, [{ width, height }], kind)
  }
})
