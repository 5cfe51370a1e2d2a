import HLS from 'hls-parser'
import t from 'tap'
import { makeFrameGrid } from '../../../../src/core/streaming/timeline/segment-timeline.ts'
import {
  masterPlaylist,
  mediaPlaylist,
  subtitlePlaylist,
  addQueryToAddresses,
  markDefaultSubtitle,
} from '../../../../src/core/streaming/playlist/playlist-text.ts'
import { renditionSegmentCount } from '../../../../src/core/streaming/timeline/rendition-segments.ts'
import type { AudioRendition, VideoRendition } from '../../../../src/core/streaming/job/rendition.ts'
import type { StreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { filmPlan } from './film-plan.ts'

const RUNG: VideoRendition = {
  kind: 'video',
  id: '720p',
  label: '720p',
  width: 1280,
  height: 720,
  bitrate: 3_593_824,
  averageBitrate: 3_000_000,
  videoBitrate: 2_800_000,
  codecs: 'avc1.64001F,mp4a.40.2',
  isOriginal: true,
  isCopy: false,
  audio: 'encode',
}
const ORIGINAL: VideoRendition = { ...RUNG, id: 'original', bitrate: 5_000_000, isCopy: true, audio: 'copy' }
const GERMAN: AudioRendition = {
  kind: 'audio',
  id: 'a2',
  label: 'German',
  language: 'de',
  streamIndex: 2,
  bitrate: 166_400,
  averageBitrate: null,
  codecs: 'mp4a.40.2',
}
const TRACK = { streamIndex: 1, snap: null, codec: 'aac', title: null, channels: 2 }

const silent = filmPlan({ renditions: [RUNG] })
const job: StreamPlan = {
  ...silent,
  source: { ...silent.source, audioTracks: [{ ...TRACK, language: 'en', label: 'English', isDefault: true }] },
}

const SUBTITLE = {
  index: 3,
  streamIndex: 3,
  path: null,
  isDefault: false,
  isForced: false,
  isHearingImpaired: false,
  isGone: false,
}

/** All features at once: a copy, two audio tracks, four text tracks. */
const rich: StreamPlan = {
  ...job,
  source: {
    ...job.source,
    audioTracks: [
      { ...TRACK, language: 'en', label: 'English', isDefault: true },
      { ...TRACK, streamIndex: 2, language: 'de', label: 'German', isDefault: false },
    ],
  },
  copy: {
    boundariesMicroseconds: [0, 6_506_500, 12_012_000, 19_019_000],
    endMicroseconds: 20_020_000,
    halfFrameMicroseconds: 20_854,
  },
  renditions: [ORIGINAL, RUNG, GERMAN],
  subtitles: [
    { ...SUBTITLE, label: 'Deutsch "kurz"\n', language: 'de', isDefault: true, isForced: true },
    { ...SUBTITLE, index: 4, label: 'Unknown', language: 'und', isHearingImpaired: true },
    { ...SUBTITLE, index: 5, label: 'Français', language: 'fr', isDefault: true },
    { ...SUBTITLE, index: 6, label: 'Signs', language: 'fr', isForced: true },
  ],
}

void t.test('the master playlist of one rendition is byte for byte this', (t) => {
  t.equal(
    masterPlaylist(job),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-STREAM-INF:BANDWIDTH=3593824,AVERAGE-BANDWIDTH=3000000,RESOLUTION=1280x720,FRAME-RATE=23.976,CODECS="avc1.64001F,mp4a.40.2"',
      'media_v720p.m3u8',
      '',
    ].join('\n'),
  )
  t.end()
})

void t.test('with copy, audio tracks and subtitles it is byte for byte this', (t) => {
  const more = 'FRAME-RATE=23.976,CODECS="avc1.64001F,mp4a.40.2",AUDIO="sound",SUBTITLES="subtitles"'
  const spoken = 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound'
  const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound"'
  const text = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles"'
  t.equal(
    masterPlaylist(rich),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:4',
      `${sound},NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES`,
      `${sound},NAME="German",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,URI="media_va2.m3u8"`,
      `${text},NAME="Deutsch ’kurz’ ",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES,URI="media_vs3.m3u8"`,
      `${text},NAME="Unknown",DEFAULT=NO,AUTOSELECT=NO,CHARACTERISTICS="${spoken}",URI="media_vs4.m3u8"`,
      `${text},NAME="Français",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=NO,URI="media_vs5.m3u8"`,
      `${text},NAME="Signs",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="media_vs6.m3u8"`,
      `#EXT-X-STREAM-INF:BANDWIDTH=5000000,AVERAGE-BANDWIDTH=3000000,RESOLUTION=1280x720,${more}`,
      'media_voriginal.m3u8',
      `#EXT-X-STREAM-INF:BANDWIDTH=3593824,AVERAGE-BANDWIDTH=3000000,RESOLUTION=1280x720,${more}`,
      'media_v720p.m3u8',
      '',
    ].join('\n'),
  )
  t.end()
})

void t.test('renditions are in order of bandwidth, the original first if they are equal', (t) => {
  const low = { ...RUNG, id: '240p', bitrate: 500_000 }
  const equal = { ...ORIGINAL, bitrate: RUNG.bitrate }
  const text = masterPlaylist({ ...job, renditions: [equal, RUNG, low].toSorted((a, b) => a.bitrate - b.bitrate) })
  t.strictSame(
    text.match(/media_v\w+/g),
    ['media_voriginal', 'media_v720p', 'media_v240p'],
    'whatever the order of the plan',
  )
  t.end()
})

const lines = (id: string, lengths: readonly string[]) =>
  lengths.flatMap((length, index) => [`#EXTINF:${length},`, `seg-v${id}-0000${index}.ts`])

void t.test('the media playlist is byte for byte this', (t) => {
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:6', '#EXT-X-MEDIA-SEQUENCE:0']
  const type = '#EXT-X-PLAYLIST-TYPE:VOD'
  const encoded = ['6.006000', '6.006000', '6.006000', '2.002000']
  const end = ['#EXT-X-ENDLIST', '']
  const own = [...head, type, '#EXT-X-INDEPENDENT-SEGMENTS']
  t.equal(mediaPlaylist(rich, RUNG), [...own, ...lines('720p', encoded), ...end].join('\n'))
  t.equal(mediaPlaylist(rich, GERMAN), [...own, ...lines('a2', encoded), ...end].join('\n'))
  const real = ['6.506500', '5.505500', '7.007000', '1.001000']
  head[2] = '#EXT-X-TARGETDURATION:7'
  t.equal(mediaPlaylist(rich, ORIGINAL), [...head, type, ...lines('original', real), ...end].join('\n'), 'of a copy')
  const legacy = mediaPlaylist(job, RUNG, { id: null })
  t.strictSame(legacy.match(/seg-.*/g), ['seg-00000.ts', 'seg-00001.ts', 'seg-00002.ts', 'seg-00003.ts'])
  t.match(subtitlePlaylist(rich, { index: 3 }), /TARGETDURATION:20\n[^]*#EXTINF:20\.020000,\nsub-3\.vtt\n/)
  t.end()
})

void t.test('durations add up to the total, and none exceeds the target, at every frame rate', (t) => {
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
    const grid = makeFrameGrid({ frameRate: { numerator, denominator }, durationSeconds: 7265.37 })
    const long = { ...job, grid }
    const text = mediaPlaylist(long, RUNG)
    const target = Number(/TARGETDURATION:(\d+)/.exec(text)?.[1])
    const lengths = [...text.matchAll(/EXTINF:([\d.]+),/g)].map((match) => Number(match[1]))
    t.equal(lengths.length, renditionSegmentCount(long, RUNG))
    t.ok(lengths.every((length) => length > 0 && Math.round(length) <= target))
    const total = (grid.frameCount * denominator) / numerator
    t.ok(Math.abs(lengths.reduce((sum, length) => sum + length, 0) - total) < 0.0001, `${numerator}/${denominator}`)
  }
  t.end()
})

void t.test('an audio-only item with a second track announces the sum, since players fetch both', (t) => {
  const english = { ...GERMAN, id: 'a1', label: 'English', language: 'en', streamIndex: 1, bitrate: 200_000 }
  const one = { ...rich, renditions: [english], subtitles: [] }
  t.match(masterPlaylist(one), /BANDWIDTH=200000,/)
  t.match(masterPlaylist({ ...one, renditions: [english, GERMAN] }), /BANDWIDTH=366400,/)
  t.end()
})

void t.test('a clip shorter than half a second has a target duration of one second', (t) => {
  const grid = makeFrameGrid({ frameRate: { numerator: 25, denominator: 1 }, durationSeconds: 0.2 })
  t.match(mediaPlaylist({ ...job, grid }, RUNG), /TARGETDURATION:1\n[^]*EXTINF:0.200000,/)
  t.end()
})

void t.test('every address, and nothing else, gets the query', (t) => {
  const query = 'exp=1&sig=a-b_c'
  const media = addQueryToAddresses(mediaPlaylist(rich, RUNG), () => query)
  t.equal(media.match(/\.ts\?exp=1&sig=a-b_c$/gm)?.length, 4)
  t.equal(media.match(/\?/g)?.length, 4)
  t.equal(media.replaceAll(`?${query}`, ''), mediaPlaylist(rich, RUNG))
  const master = addQueryToAddresses(masterPlaylist(rich), () => query)
  t.strictSame(master.match(/media_v\w+\.m3u8\?exp=1&sig=a-b_c(?="|$)/gm)?.length, 7)
  t.equal(master.match(/\?/g)?.length, 7)
  t.equal(master.replaceAll(`?${query}`, ''), masterPlaylist(rich))
  t.end()
})

/** Rules of RFC 8216 for all playlists. */
function breachesOf(text: string): string[] {
  const rows = text.split('\n')
  const count = (tag: string) => rows.filter((row) => row.startsWith(tag)).length
  const isMaster = count('#EXT-X-STREAM-INF') > 0
  const rules = {
    '4.1: neither byte order mark nor carriage returns': !/[\uFEFF\r\0]/.test(text),
    '4.1: ends with a line feed': text.endsWith('\n'),
    '4.3.1.1: first line': rows[0] === '#EXTM3U',
    '4.3.1.2: one version': count('#EXT-X-VERSION:') === 1,
    '4.3: either master or media': isMaster !== count('#EXTINF') > 0,
    '4.3.3.1: target duration': isMaster || count('#EXT-X-TARGETDURATION:') === 1,
    '4.3.3.4: end': isMaster || rows.at(-2) === '#EXT-X-ENDLIST',
    '4.3.2.1: a length before every address': rows.every(
      (row, at) => row === '' || row.startsWith('#') || /^#EXT(?:INF|-X-STREAM-INF)/.test(rows[at - 1] ?? ''),
    ),
    '4.2: attributes once each': rows.every((row) => {
      const names = [...row.matchAll(/[:,]([A-Z][A-Z-]+)=/g)].map((match) => match[1])
      return new Set(names).size === names.length
    }),
  }
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]))
}

void t.test('an independent parser in strict mode accepts the playlists, and they conform to RFC 8216', (t) => {
  HLS.setOptions({ strictMode: true })
  const texts = [masterPlaylist(job), masterPlaylist(rich), mediaPlaylist(rich, RUNG), mediaPlaylist(rich, ORIGINAL)]
  texts.push(mediaPlaylist(rich, GERMAN), subtitlePlaylist(rich, { index: 3 }))
  for (const text of texts.flatMap((one) => [one, addQueryToAddresses(one, () => 'exp=1&sig=a')])) {
    t.strictSame(breachesOf(text), [])
    t.doesNotThrow(() => HLS.parse(text))
  }
  const master = HLS.parse(addQueryToAddresses(masterPlaylist(rich), () => 'exp=1&sig=a')) as HLS.types.MasterPlaylist
  t.match(master.variants, [
    { uri: 'media_voriginal.m3u8?exp=1&sig=a', bandwidth: 5_000_000, resolution: { width: 1280, height: 720 } },
    { uri: 'media_v720p.m3u8?exp=1&sig=a', codecs: 'avc1.64001F,mp4a.40.2' },
  ])
  t.match(master.variants[0]?.audio, [
    { name: 'English', isDefault: true },
    { name: 'German', uri: 'media_va2.m3u8?exp=1&sig=a' },
  ])
  t.match(master.variants[0]?.subtitles, [{ forced: true, language: 'de' }, { name: 'Unknown' }])
  const media = HLS.parse(mediaPlaylist(rich, ORIGINAL)) as HLS.types.MediaPlaylist
  t.strictSame(
    media.segments.map(({ duration }) => duration),
    [6.5065, 5.5055, 7.007, 1.001],
  )
  t.end()
})

void t.test(
  'a chosen subtitle is the one default of its group, and forced ones stay marked for their language',
  (t) => {
    const chosen = markDefaultSubtitle(masterPlaylist(rich), 5)
    const marks = chosen
      .split('\n')
      .flatMap((line) => /TYPE=SUBTITLES.*DEFAULT=(\w+),AUTOSELECT=(\w+)/.exec(line)?.slice(1).join(' ') ?? [])
    t.strictSame(marks, ['NO YES', 'NO NO', 'YES YES', 'NO YES'])
    t.equal(
      chosen.replaceAll(/DEFAULT=\w+,AUTOSELECT=\w+/g, ''),
      masterPlaylist(rich).replaceAll(/DEFAULT=\w+,AUTOSELECT=\w+/g, ''),
    )
    t.equal(
      chosen
        .split('\n')
        .filter((line) => line.includes('TYPE=AUDIO'))
        .join('\n')
        .includes('DEFAULT=YES'),
      true,
    )
    t.equal(markDefaultSubtitle(masterPlaylist(rich), 9), masterPlaylist(rich))
    t.equal(markDefaultSubtitle(masterPlaylist(job), 0), masterPlaylist(job))
    t.end()
  },
)
