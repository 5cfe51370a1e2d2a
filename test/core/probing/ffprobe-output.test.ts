import t from 'tap'
import { probeFile, type ProbedFile } from '../../../src/core/probing/index.ts'

/** Returns the result for a file with this ffprobe output. */
const read = (json: unknown, path = '/film.mkv'): Promise<ProbedFile> =>
  probeFile({ mediaTools: { probe: async () => json } }, path)

const VIDEO = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 }
const AUDIO = { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 2 }
const FORMAT = { format_name: 'matroska,webm', duration: '60.000000' }

const film = (video: object = {}, format: object = {}, audio: object = {}): unknown => ({
  format: { ...FORMAT, ...format },
  streams: [
    { ...VIDEO, ...video },
    { ...AUDIO, ...audio },
  ],
})

const SIZES: [claim: string, video: object, width: number, height: number][] = [
  ['square pixels', { sample_aspect_ratio: '1:1' }, 1920, 1080],
  ['unknown pixels', { sample_aspect_ratio: '0:1' }, 1920, 1080],
  ['anamorphic', { width: 1440, sample_aspect_ratio: '4:3' }, 1920, 1080],
  ['tall pixels', { width: 720, height: 480, sample_aspect_ratio: '8:9' }, 640, 480],
  ['nonsensical pixels', { sample_aspect_ratio: '1:999999' }, 1920, 1080],
  ['a fraction of nothing', { sample_aspect_ratio: '0:0' }, 1920, 1080],
  ['turned left', { side_data_list: [{ rotation: 90 }] }, 1080, 1920],
  ['turned right', { side_data_list: [{ side_data_type: 'x' }, { rotation: -90 }] }, 1080, 1920],
  ['upside down', { side_data_list: [{ rotation: 180 }] }, 1920, 1080],
  ['turned by a tag', { tags: { rotate: '270' } }, 1080, 1920],
  ['a little askew', { side_data_list: [{ rotation: -3 }] }, 1920, 1080],
  [
    'anamorphic and turned',
    { width: 1440, sample_aspect_ratio: '4:3', side_data_list: [{ rotation: -90 }] },
    1080,
    1920,
  ],
]

void t.test('the size of a source is its display size', async (t) => {
  for (const [claim, video, width, height] of SIZES) {
    const { source } = await read(film(video))
    t.strictSame([source?.width, source?.height], [width, height], claim)
  }
  const turn = async (rotation: number) =>
    (await read(film({ side_data_list: [{ rotation }] }))).source?.rotationDegrees
  t.strictSame(await Promise.all([0, -90, 180, 90, -270, 450].map(turn)), [0, 90, 180, 270, 270, 270], 'clockwise')
})

const RATES: [average: string, base: string, rate: string | null, baseRate: string | null][] = [
  ['24000/1001', '24000/1001', '24000/1001', '24000/1001'],
  ['25/1', '50/1', '25/1', '50/1'],
  ['2997/125', '24/1', '2997/125', '24/1'],
  ['0/0', '30/1', '30/1', '30/1'],
  ['0/0', '0/0', null, null],
  ['25', '-25/1', null, null],
]

void t.test('frame rates stay exact fractions', async (t) => {
  for (const [average, base, frameRate, baseFrameRate] of RATES) {
    const { source } = await read(film({ avg_frame_rate: average, r_frame_rate: base }))
    t.match(source, { frameRate, baseFrameRate }, average)
  }
})

void t.test('the bit rate of the video is declared, or the remainder of the other streams', async (t) => {
  const source = async (json: unknown): Promise<number | null | undefined> => (await read(json)).source?.bitrate
  t.equal(await source(film({ bit_rate: '5000000' }, { bit_rate: '6000000' })), 5_000_000)
  t.equal(await source(film({ tags: { 'BPS-eng': '4000000' } }, { bit_rate: '6000000' })), 4_000_000)
  t.equal(await source(film({}, { bit_rate: '6000000' }, { bit_rate: '128000' })), 5_872_000)
  t.equal(await source(film({}, { bit_rate: '6000000' })), 6_000_000, 'sound of unknown rate')
  t.equal(await source(film({}, { bit_rate: '100000' }, { bit_rate: '128000' })), null, 'less than nothing')
  t.equal(await source(film({ bit_rate: 'N/A' })), null)
})

void t.test('the played audio is the default track, the video is never a cover', async (t) => {
  const cover = { ...VIDEO, index: 0, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
  const streams = [
    cover,
    { ...VIDEO, index: 1 },
    { ...AUDIO, index: 2, codec_name: 'ac3' },
    { ...AUDIO, index: 3, disposition: { default: 1 } },
  ]
  t.match(await read({ format: FORMAT, streams }), {
    source: { videoStreamIndex: 1, videoCodec: 'h264', audioStreamIndex: 3, audioCodec: 'aac' },
    streams: [{ type: 'attachment' }, { type: 'video' }, { type: 'audio' }, { type: 'audio' }],
  })
})

const DURATIONS: [claim: string, json: unknown, seconds: number][] = [
  ['of the file', film(), 60],
  ['of the longest stream', film({ duration: '59.5' }, { duration: 'N/A' }, { duration: '60.25' }), 60.25],
  ['of a tag', film({ tags: { DURATION: '01:00:01.500000000' } }, { duration: undefined }), 3601.5],
]

void t.test('a subtitle that ends last does not extend the duration, and does not change the bit rate', async (t) => {
  const format = { format_name: 'matroska,webm', duration: '4294967.000000', bit_rate: '1000' }
  const streams = (tags: object): object[] => [
    { ...VIDEO, index: 0, tags: { DURATION: '00:01:02.000000000' } },
    { ...AUDIO, index: 1, tags },
    { index: 2, codec_type: 'subtitle', codec_name: 'dvd_subtitle', tags: { DURATION: '1193:02:47.000000000' } },
  ]
  const [told, untold] = [streams({ DURATION: '00:01:01.500000000' }), streams({})]
  t.match(await read({ format, streams: told }), { durationSeconds: 62, bitrate: Math.round((4_294_967 * 1000) / 62) })
  t.match(
    await read({ format, streams: untold }),
    { durationSeconds: 4_294_967 },
    'unless video or audio do not declare their end',
  )
})

void t.test('the duration is declared by the file or by a stream', async (t) => {
  for (const [claim, json, seconds] of DURATIONS) t.equal((await read(json)).durationSeconds, seconds, claim)
})

const UNREADABLE: [claim: string, json: unknown][] = [
  ['no streams', { format: FORMAT }],
  ['subtitles alone', { format: FORMAT, streams: [{ index: 0, codec_type: 'subtitle' }] }],
  ['a picture without size', { format: FORMAT, streams: [{ ...VIDEO, width: 0 }] }],
  ['no duration', film({}, { duration: 'N/A' })],
  ['a duration of nothing', film({}, { duration: '0.000000' })],
  ['a negative duration', film({}, { duration: '-1.0' })],
  ['a duration of centuries', film({}, { duration: '99999999999.0' })],
]

void t.test('M19: without video and audio, or without duration, a file is unreadable', async (t) => {
  for (const [claim, json] of UNREADABLE) await t.rejects(read(json), { code: 'unreadable_media' }, claim)
  for (const json of [null, [], 'text', {}, { format: {} }, { format: FORMAT, streams: {} }]) {
    await t.rejects(read(json), { code: 'tool_failed' }, JSON.stringify(json))
  }
})

const CONTAINERS: [format: string, path: string, container: string][] = [
  ['mov,mp4,m4a,3gp,3g2,mj2', '/film.mp4', 'mp4'],
  ['mov,mp4,m4a,3gp,3g2,mj2', '/film.MOV', 'mov'],
  ['mov,mp4,m4a,3gp,3g2,mj2', '/film.mkv', 'mp4'],
  ['matroska,webm', '/film.mkv', 'mkv'],
  ['matroska,webm', '/film.webm', 'webm'],
  ['matroska,webm', '/film.mp4', 'mkv'],
  ['mpegts', '/film.m2ts', 'm2ts'],
  ['avi', '/film.avi', 'avi'],
  ['__proto__', '/film.avi', '__proto__'],
]

void t.test('the container is detected from the content, not from the extension', async (t) => {
  for (const [format, path, container] of CONTAINERS) {
    t.equal((await read(film({}, { format_name: format }), path)).container, container, `${format} in ${path}`)
  }
})

const LANGUAGES: [tag: string, language: string | null][] = [
  ['eng', 'eng'],
  ['ENG', 'eng'],
  ['en-US', 'en-us'],
  ['und', null],
  ['', null],
  ['english', null],
  ["e'; drop", null],
]

void t.test('texts from files are made safe to store', async (t) => {
  const title = '  Commentary\u0000by\n<b>\uD800</b>\u001B[2J '
  const { streams } = await read(film({}, {}, { tags: { title } }))
  t.equal(streams[1]?.title, 'Commentary by <b>\uFFFD</b> [2J')
  const long = await read(film({}, {}, { tags: { title: '😀'.repeat(600) } }))
  t.ok((long.streams[1]?.title?.length ?? 0) <= 500 && long.streams[1]?.title?.isWellFormed())
  for (const [tag, language] of LANGUAGES) {
    t.equal((await read(film({}, {}, { tags: { LANGUAGE: tag } }))).streams[1]?.language, language, tag)
  }
})

void t.test('chapters are in order, without impossible ones', async (t) => {
  const chapters = [
    { start_time: '10.0', end_time: '20.0', tags: { title: 'b' } },
    { start_time: '0.0', end_time: '10.0', tags: { title: ' \u0000 ' } },
    { start_time: '30.0', end_time: '20.0' },
    { start_time: '-5.0', end_time: '1.0' },
    { start_time: 'N/A' },
  ]
  t.strictSame((await read({ ...(film() as object), chapters })).chapters, [
    { startSeconds: 0, endSeconds: 10, title: null },
    { startSeconds: 10, endSeconds: 20, title: 'b' },
  ])
})

void t.test('unusable numbers are dropped', async (t) => {
  const odd = { level: -99, profile: -99, bit_rate: '99999999999999999999', nb_frames: '-1', width: 1920.5 }
  t.match(await read(film({ bit_rate: odd.bit_rate, level: odd.level, nb_frames: odd.nb_frames })), {
    streams: [{ bitrate: null, level: null }, {}],
    source: { frameCount: null, videoLevel: null },
  })
  const streams = Array.from({ length: 5000 }, (_, index) => ({ ...VIDEO, index }))
  t.equal((await read({ format: FORMAT, streams })).streams.length, 500)
})
