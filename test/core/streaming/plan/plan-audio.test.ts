import t from 'tap'
import { planAudio } from '../../../../src/core/streaming/plan/plan-audio.ts'
import { choosePlayedAudioTrack } from '../../../../src/core/streaming/source/played-audio-track.ts'

const FILE = { path: '/music/a.mp3', root: '/music', sizeBytes: 1, modifiedAtNanoseconds: '1' }
const plan = (item: Parameters<typeof planAudio>[0]) => {
  const played = choosePlayedAudioTrack(item.streams, { film: undefined, language: null })
  return planAudio(item, { file: FILE, played, subtitles: [] })
}

function stream(index: number, type: 'audio' | 'video' | 'attachment', startSeconds: number | null = 0) {
  const names = { codec: 'mp3', language: null, title: null, bitrate: null, width: null, height: null, channels: 2 }
  const details = { sampleRate: 44_100, startSeconds }
  return { id: '', mediaItemId: '', index, type, ...names, isDefault: false, details }
}

const ITEM = {
  fileSeconds: 90,
  container: 'mp3',
  streams: [stream(0, 'audio', 0.025), stream(1, 'attachment', null)],
}

void t.test('audio with a cover is one rendition on a grid of six seconds, from the start of the audio', (t) => {
  const { source, grid, renditions, copy } = plan(ITEM)
  t.match(source, { videoStreamIndex: null, videoStartMicroseconds: 25_000, containerStartMicroseconds: 25_000 })
  t.strictSame(grid, { frameRate: { numerator: 25, denominator: 1 }, framesPerSegment: 150, frameCount: 2250 })
  t.match(renditions, [{ kind: 'audio', id: 'a0', codecs: 'mp4a.40.2' }])
  t.equal(copy, null)
  t.end()
})

void t.test('of several tracks the default is the first rendition', (t) => {
  const streams = [stream(0, 'audio', 1), { ...stream(1, 'audio', 2), isDefault: true }, stream(2, 'audio', null)]
  const { source, renditions } = plan({ ...ITEM, streams })
  t.strictSame(
    renditions.map(({ id }) => id),
    ['a1', 'a0', 'a2'],
  )
  t.match(source, { videoStartMicroseconds: 2_000_000, containerStartMicroseconds: 1_000_000 })
  t.end()
})

void t.test('a plan is refused without audio, without a duration, or with unknown video', (t) => {
  for (const broken of [
    { ...ITEM, streams: [] },
    { ...ITEM, streams: [stream(0, 'attachment')] },
    { ...ITEM, streams: [...ITEM.streams, stream(2, 'video')] },
    { ...ITEM, fileSeconds: null },
    { ...ITEM, fileSeconds: 0 },
    { ...ITEM, fileSeconds: 366 * 24 * 3600 },
  ]) {
    t.throws(() => plan(broken), { code: 'not_transcodable' })
  }
  t.end()
})
