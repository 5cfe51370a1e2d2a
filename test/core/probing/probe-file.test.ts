import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createBufferPool, openByteSource } from '../../../src/core/platform/files/index.ts'
import { readContainerHeaders } from '../../../src/core/probing/containers/read-headers.ts'
import { probeFile, type ProbedFile, type SourceProfile } from '../../../src/core/probing/index.ts'
import { sampleMedia, type SampleKind } from '../../support/media.ts'
import { machineTools } from './machine-tools.ts'

type Expected = Omit<Partial<ProbedFile>, 'streams' | 'source'> & { source?: Partial<SourceProfile> | null }

const SAMPLES: [kind: SampleKind, streams: string, expected: Expected][] = [
  [
    'film-mp4',
    'video h264, audio aac',
    {
      durationSeconds: 20.02,
      container: 'mp4',
      source: {
        width: 640,
        height: 360,
        videoCodec: 'h264',
        audioCodec: 'aac',
        pixelFormat: 'yuv420p',
        frameRate: '24000/1001',
        frameCount: 480,
        rotationDegrees: 0,
        isInterlaced: false,
        isHdr: false,
        videoStreamIndex: 0,
        audioStreamIndex: 1,
        hasAudio: true,
        audioChannels: 2,
        audioSampleRate: 48_000,
        containerStartSeconds: 0,
        videoStartSeconds: 0,
        audioStartSeconds: 0,
      },
    },
  ],
  [
    'film-mkv',
    'video h264, audio ac3',
    { container: 'mkv', source: { frameRate: '24/1', audioCodec: 'ac3', audioChannels: 6, audioBitrate: 256_000 } },
  ],
  ['film-silent-mp4', 'video h264', { source: { hasAudio: false, audioCodec: null, audioStreamIndex: null } }],
  ['film-rotated-mp4', 'video h264, audio aac', { source: { width: 180, height: 320, rotationDegrees: 90 } }],
  ['film-anamorphic-mkv', 'video h264, audio aac', { source: { width: 1024, height: 576 } }],
  [
    'film-refused-mkv',
    'video magicyuv, audio aac',
    {
      source: { width: 64, height: 48, videoCodec: 'magicyuv', pixelFormat: null, frameRate: '8/1', audioCodec: 'aac' },
    },
  ],
  [
    'film-hdr-mkv',
    'video h264, audio aac',
    { source: { isHdr: true, colorTransfer: 'smpte2084', pixelFormat: 'yuv420p10le' } },
  ],
  ['film-hevc-mkv', 'video hevc, audio aac', { source: { videoCodec: 'hevc' } }],
  [
    'film-ts',
    'video h264, audio aac',
    { container: 'ts', source: { containerStartSeconds: 5001.378667, videoStartSeconds: 5001.4, frameRate: '25/1' } },
  ],
  ['film-mpg', 'video mpeg2video, audio mp2', { container: 'mpg', source: { isInterlaced: true, audioCodec: 'mp2' } }],
  ['song-mp3', 'audio mp3', { container: 'mp3', source: null }],
  ['song-flac', 'audio flac', { container: 'flac', durationSeconds: 3, source: null }],
  [
    'audiobook-m4b',
    'audio aac, data bin_data',
    {
      container: 'm4b',
      chapters: [
        { startSeconds: 0, endSeconds: 1.5, title: 'Opening' },
        { startSeconds: 1.5, endSeconds: 4, title: 'The rest' },
      ],
      source: null,
    },
  ],
  // Half a file still has the properties in its headers; the existing part is played.
  ['film-cut-mp4', 'video h264, audio aac', { durationSeconds: 20.02 }],
  ['film-cut-mkv', 'video h264, audio ac3', { container: 'mkv' }],
]

void t.test('real files are identified correctly', async (t) => {
  const services = await machineTools(t)
  for (const [kind, streams, expected] of SAMPLES) {
    const file = await probeFile(services, await sampleMedia(kind))
    t.match(file, expected, kind)
    t.equal(file.streams.map(({ type, codec }) => `${type} ${codec}`).join(', '), streams, `streams of ${kind}`)
    const { bitrate } = file
    t.ok(bitrate !== null && bitrate > 50_000 && bitrate < 2_000_000, `${bitrate} bits per second`)
  }
})

void t.test('languages, titles and marks of tracks are kept', async (t) => {
  const { streams, chapters } = await probeFile(await machineTools(t), await sampleMedia('film-tracks-mkv'))
  t.match(streams, [
    { type: 'video', language: null, width: 320, height: 180, frameRate: '25/1' },
    { type: 'audio', language: 'eng', title: 'Stereo', isDefault: true, channels: 2, sampleRate: 48_000 },
    { type: 'audio', language: 'ger', title: null, isDefault: false },
    { type: 'subtitle', codec: 'subrip', language: 'eng', isForced: true },
  ])
  t.equal(chapters.length, 2)
})

void t.test('cover art is an attachment, and not the picture of a song', async (t) => {
  const path = join(t.testdir(), 'song.mp3')
  const inputs = ['-i', await sampleMedia('song-mp3'), '-i', await sampleMedia('photo-jpg')]
  execFileSync('ffmpeg', [
    '-v',
    'error',
    ...inputs,
    '-map',
    '0',
    '-map',
    '1',
    '-c',
    'copy',
    '-id3v2_version',
    '3',
    path,
  ])
  const file = await probeFile(await machineTools(t), path)
  t.match(file.streams, [{ type: 'audio' }, { type: 'attachment' }])
  t.equal(file.source, null)
})

const REFUSED: [claim: string, content: () => Promise<Uint8Array | string>][] = [
  ['no bytes', async () => ''],
  ['text', async () => 'this is not a film\n'],
  ['HTML', async () => '<!doctype html><title>film</title>'],
  ['a zip archive', async () => Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
  ['zeros', async () => new Uint8Array(100_000)],
  ['subtitles', async () => '1\n00:00:01,000 --> 00:00:02,000\nHello\n'],
]

void t.test('files that are not films are refused with a reason', async (t) => {
  const folder = t.testdir()
  const services = await machineTools(t)
  for (const [claim, content] of REFUSED) {
    for (const extension of ['mp4', 'mkv']) {
      const path = join(folder, `film.${extension}`)
      writeFileSync(path, await content())
      await t.rejects(probeFile(services, path), { code: 'unreadable_media' }, `${claim} as .${extension}`)
    }
  }
  for (const kind of ['playlist-as-mp4', 'concat-as-mp4', 'empty-mp4', 'noise-mp4'] as const) {
    await t.rejects(probeFile(services, await sampleMedia(kind)), { code: 'unreadable_media' }, kind)
  }
  await t.rejects(probeFile(services, await sampleMedia('photo-jpg')), { code: 'unreadable_media' }, 'a picture')
})

void t.test('FN-03: a file with very many chapters and streams is read in parts', async (t) => {
  const folder = t.testdir()
  const chapter = (index: number): string =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${index}\nEND=${index + 1}\ntitle=${index}\n`
  const chapterFile = join(folder, 'chapters')
  const long = `[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1\ntitle=${'x'.repeat(1_000_000)}\n`
  writeFileSync(
    chapterFile,
    `;FFMETADATA1\n${long}${Array.from({ length: 5000 }, (_, index) => chapter(index)).join('')}`,
  )
  const path = join(folder, 'film.mkv')
  const inputs = ['-i', await sampleMedia('film-tiny-mp4'), '-f', 'ffmetadata', '-i', chapterFile]
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-map_metadata', '1', '-c', 'copy', path])
  const { chapters, durationSeconds } = await probeFile(await machineTools(t), path)
  t.equal(chapters.length, 1000)
  t.equal(chapters[0]?.title, 'x'.repeat(200))
  t.ok(durationSeconds >= 2)
})

void t.test('a subtitle without end does not extend a film, read by ffprobe or from the headers', async (t) => {
  const folder = t.testdir({ 'a.srt': '1\n00:00:00,500 --> 1193:02:47,000\nwithout end\n' })
  const path = join(folder, 'film.mkv')
  const inputs = ['-i', await sampleMedia('film-tiny-mp4'), '-i', join(folder, 'a.srt')]
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'srt', path])
  const probed = await probeFile(await machineTools(t), path)
  t.ok(probed.durationSeconds < 3, `${probed.durationSeconds} s`)
  const source = openByteSource(createBufferPool(), folder, path)
  t.teardown(() => source.close())
  t.equal(readContainerHeaders(source, path).file?.durationSeconds, probed.durationSeconds)
})

void t.test('a file that is truncated or damaged anywhere is read or refused, and nothing hangs', async (t) => {
  const path = join(t.testdir(), 'film.mp4')
  const services = await machineTools(t)
  const film = readFileSync(await sampleMedia('film-tiny-mp4'))
  const outcomes = new Set<string>()
  for (let step = 0; step < 12; step += 1) {
    const cut = film.subarray(0, 200 * 2 ** step)
    // The index is at the front, so most of these blocks are in it.
    const damaged = Buffer.from(film).fill(0xff, 40 + step * 200, 60 + step * 200)
    for (const bytes of [cut, damaged]) {
      writeFileSync(path, bytes)
      const outcome = await probeFile(services, path).then(
        () => 'read',
        (error: { code?: string }) => error.code ?? 'crash',
      )
      outcomes.add(outcome)
    }
  }
  t.strictSame([...outcomes].toSorted(), ['read', 'unreadable_media'])
})
