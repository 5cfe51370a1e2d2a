import { randomUUID } from 'node:crypto'
import t from 'tap'
import { makeFrameGrid } from '../../../../src/core/streaming/timeline/segment-timeline.ts'
import {
  nextFileStartMicroseconds,
  joinParts,
  type JoinedPart,
} from '../../../../src/core/streaming/playlist/join-parts.ts'
import {
  masterPlaylist,
  mediaPlaylist,
  subtitlePlaylist,
  addQueryToAddresses,
} from '../../../../src/core/streaming/playlist/playlist-text.ts'
import type { AudioRendition, VideoRendition } from '../../../../src/core/streaming/job/rendition.ts'
import type { StreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { filmPlan } from './film-plan.ts'

const RUNG: VideoRendition = {
  kind: 'video',
  id: '720p',
  label: '720p',
  width: 1280,
  height: 720,
  bitrate: 3_000_000,
  averageBitrate: 2_900_000,
  videoBitrate: 2_800_000,
  codecs: 'avc1.64001F,mp4a.40.2',
  isOriginal: false,
  isCopy: false,
  audio: 'encode',
}
const rung = (height: number, facts: Partial<VideoRendition> = {}): VideoRendition => ({
  ...RUNG,
  id: `${height}p`,
  height,
  ...facts,
})
const ORIGINAL = rung(720, { id: 'original', isOriginal: true, isCopy: true, codecs: 'avc1.4D4028,mp4a.40.2' })
const sound = (streamIndex: number, language: string): AudioRendition => ({
  kind: 'audio',
  id: `a${streamIndex}`,
  label: language,
  language,
  streamIndex,
  bitrate: 200_000,
  averageBitrate: null,
  codecs: 'mp4a.40.2',
})

/** The copy ends at 20.0304 s. */
function plan(renditions: StreamPlan['renditions'], facts: Partial<StreamPlan> = {}): StreamPlan {
  const copy = { boundariesMicroseconds: [0, 6_006_000], endMicroseconds: 20_030_400, halfFrameMicroseconds: 1000 }
  return filmPlan({ copy, renditions, ...facts })
}

const part = (renditions: StreamPlan['renditions'], facts: Partial<StreamPlan> = {}) => ({
  jobId: randomUUID(),
  itemId: randomUUID(),
  plan: plan(renditions, { startMicroseconds: 20_031_000, ...facts }),
})

function joinedOf(film: StreamPlan, parts: readonly ReturnType<typeof part>[]): JoinedPart[] {
  return film.parts.map((one, place) => ({ part: one, plan: parts[place]?.plan ?? film }))
}

void t.test('the next file begins after all renditions of this one, at a whole millisecond', (t) => {
  t.equal(nextFileStartMicroseconds(plan([ORIGINAL, RUNG])), 20_031_000)
  t.equal(nextFileStartMicroseconds(plan([RUNG])), 20_020_000)
  t.equal(nextFileStartMicroseconds(plan([RUNG], { startMicroseconds: 5000 })), 20_025_000)
  t.end()
})

void t.test('a quality continues with the same one, else with the nearest; a copy only with a copy', (t) => {
  const own = plan([ORIGINAL, rung(1080), rung(720), rung(240)])
  const copied = joinParts(own, [part([ORIGINAL, rung(720), rung(480)])])
  t.strictSame(copied.parts[0]?.renditions, { original: 'original', '1080p': '720p', '720p': '720p', '240p': '480p' })
  const encoded = joinParts(own, [part([rung(720)]), part([ORIGINAL, rung(720)])])
  t.strictSame(
    encoded.renditions.map(({ id }) => id),
    ['1080p', '720p', '240p'],
  )
  t.end()
})

void t.test('additional audio tracks are offered if all files have them, matched by language and order', (t) => {
  const own = plan([RUNG, sound(2, 'de'), sound(3, 'de'), sound(4, 'fr')])
  const film = joinParts(own, [
    part([RUNG, sound(5, 'fr'), sound(6, 'de')]),
    part([RUNG, sound(1, 'de'), sound(2, 'de')]),
  ])
  t.strictSame(
    film.renditions.map(({ id }) => id),
    ['720p', 'a2'],
  )
  t.strictSame(
    film.parts.map(({ renditions }) => renditions['a2']),
    ['a6', 'a1'],
  )
  t.end()
})

void t.test('an audio-only file continues with audio, never with video', (t) => {
  const alone = { source: { ...plan([]).source, videoStreamIndex: null } }
  const film = joinParts(plan([sound(0, 'en'), sound(1, 'de')], alone), [
    part([sound(3, 'und'), sound(4, 'de')], alone),
  ])
  t.strictSame(film.parts[0]?.renditions, { a0: 'a3', a1: 'a4' })
  t.throws(() => joinParts(plan([sound(0, 'en')], alone), [part([RUNG])]), { code: 'not_transcodable' })
  t.throws(() => joinParts(plan([RUNG]), [part([sound(0, 'en')], alone)]), { code: 'not_transcodable' })
  t.end()
})

void t.test('advertised properties are those of the most demanding file', (t) => {
  const high = rung(720, { bitrate: 9_000_000, codecs: 'avc1.640033,mp4a.40.5' })
  const film = joinParts(plan([ORIGINAL, RUNG]), [part([{ ...ORIGINAL, codecs: 'avc1.42E01E' }, high])])
  t.match(film.renditions, [
    { id: 'original', codecs: 'avc1.4D4028,mp4a.40.2' },
    { id: '720p', bitrate: 9_000_000, codecs: 'avc1.640033,mp4a.40.2' },
  ])
  const faster = part([ORIGINAL, RUNG], {
    grid: makeFrameGrid({ frameRate: { numerator: 50, denominator: 1 }, durationSeconds: 9 }),
  })
  const fast = joinParts(plan([ORIGINAL, RUNG]), [faster])
  t.match(masterPlaylist(fast, joinedOf(fast, [faster])), /FRAME-RATE=50\.000/)
  t.end()
})

void t.test('playlists continue after a discontinuity, and all have the same total duration', (t) => {
  const following = [part([ORIGINAL, RUNG]), part([ORIGINAL, RUNG], { startMicroseconds: 40_062_000 })]
  const film = joinParts(plan([ORIGINAL, RUNG]), following)
  const joined = joinedOf(film, following)
  const [first = '', second = ''] = film.parts.map(({ jobId }) => jobId)
  for (const rendition of film.renditions) {
    const text = mediaPlaylist(film, rendition, { joined })
    const pieces = text.split('#EXT-X-DISCONTINUITY\n')
    const lengths = pieces.map((piece) =>
      [...piece.matchAll(/#EXTINF:(\d+)\.(\d{6}),/g)].reduce(
        (sum, [, whole, rest]) => sum + Number(`${whole}${rest}`),
        0,
      ),
    )
    const end = rendition.id === 'original' ? 20_030_400 : 20_020_000
    t.strictSame(lengths, [20_031_000, 20_031_000, end], rendition.id)
    t.match(pieces[1], new RegExp(`,\n\\.\\./${first}/seg-v${rendition.id}-00000\\.ts\n`))
    t.match(pieces[2], new RegExp(`,\n\\.\\./${second}/seg-v${rendition.id}-00000\\.ts\n`))
    const longest = Math.max(
      ...[...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Math.round(Number(seconds))),
    )
    t.match(text, `#EXT-X-TARGETDURATION:${longest}\n`)
    const asked: (string | null)[] = []
    const signed = addQueryToAddresses(text, (jobId) => `sig=${asked.push(jobId)}`)
    t.strictSame(asked, [null, first, second], 'one signature for each job')
    t.match(signed, `../${second}/seg-v${rendition.id}-00000.ts?sig=3\n`)
  }
  const texts = subtitlePlaylist(film, { index: 4 }, joined)
  t.match(
    texts,
    /#EXTINF:20\.031000,\nsub-4-0\.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:20\.031000,\nsub-4-1\.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:20\.031000,\nsub-4-2\.vtt\n/,
  )
  t.end()
})

void t.test('an address of a part in another form gets the signature of the playlist’s own job', (t) => {
  const asked: (string | null)[] = []
  for (const address of ['../../etc/passwd', '../x/seg.ts', `..${randomUUID()}/seg.ts`, `/../${randomUUID()}/seg.ts`]) {
    addQueryToAddresses(address, (jobId) => `${asked.push(jobId)}`)
  }
  t.strictSame(new Set(asked), new Set([null]))
  t.end()
})
