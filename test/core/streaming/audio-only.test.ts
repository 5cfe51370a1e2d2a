import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import t from 'tap'
import type { StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { masterPlaylist } from '../../../src/core/streaming/playlist/playlist-text.ts'
import { framesPerSecond } from '../../../src/core/streaming/timeline/segment-timeline.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { engine, shuffled, straightRun } from './engine.ts'
import { sinePhaseExcursion } from './sine-phase.ts'
import { continuityErrors, ffmpeg, packetsOf, packetsOfPieces, soundPlanFor } from './support.ts'
import { keptMedia } from './test-films.ts'

type Source = {
  name: string
  rate: number
  words: string[]
  /** 20 s in segments of six seconds, as in production, instead of 7 s in segments of two. */
  isLong?: boolean
}

/** Containers and codecs of music and audiobooks. */
const SOURCES: Record<string, Source> = {
  'MP3 of a constant rate': {
    name: 'a.mp3',
    rate: 44_100,
    words: ['-c:a', 'libmp3lame', '-b:a', '128k'],
    isLong: true,
  },
  'MP3 of a variable rate': { name: 'a.mp3', rate: 44_100, words: ['-c:a', 'libmp3lame', '-q:a', '4'] },
  FLAC: { name: 'a.flac', rate: 44_100, words: ['-c:a', 'flac'] },
  'AAC in MP4': { name: 'a.m4a', rate: 44_100, words: ['-c:a', 'aac', '-b:a', '96k'] },
  'AAC in Matroska': { name: 'a.mka', rate: 48_000, words: ['-c:a', 'aac', '-b:a', '96k'] },
  'Vorbis in Ogg': { name: 'a.ogg', rate: 44_100, words: ['-c:a', 'libvorbis'] },
  'Opus in Ogg': { name: 'a.opus', rate: 48_000, words: ['-c:a', 'libopus'] },
  PCM: { name: 'a.wav', rate: 44_100, words: ['-c:a', 'pcm_s16le'] },
}

for (const [name, { name: file, rate, words, isLong = false }] of Object.entries(SOURCES)) {
  void t.test(`${name} without video is streamed: segments made out of order equal those of one run`, async (t) => {
    const directory = reachableDirectory(t)
    const tone = `sine=frequency=440:sample_rate=${rate}:duration=${isLong ? 20 : 7}`
    const source = await keptMedia('sound', extname(file), ['-f', 'lavfi', '-i', tone, '-ac', '2', ...words])
    const plan = await soundPlanFor(source)
    const job = isLong ? plan : inSegments(plan, 2)
    const { make, count, path } = await engine(t, job)
    const indexes = Array.from({ length: count('a0') }, (_, index) => index)
    t.equal(indexes.length, 4)
    for (const index of shuffled(indexes.length)) await make('a0', index)
    const joined = join(directory, 'joined.ts')
    const pieces = await packetsOfPieces(
      indexes.map((index) => path('a0', index)),
      joined,
    )
    const straight = await packetsOf(await straightRun(job, 'a0', join(directory, 'straight.ts')))
    t.strictSame(
      pieces.flat().map(({ pts }) => pts),
      straight.map(({ pts }) => pts),
    )
    t.ok(pieces.every((piece) => piece.length > 0 && piece.every(({ kind }) => kind === 'audio')))
    t.equal(continuityErrors(await readFile(joined)), 0)
    t.ok((await sinePhaseExcursion(joined)) < 50, 'the tone continues within 50 microseconds')
  })
}

function inSegments(plan: StreamPlan, seconds: number): StreamPlan {
  const framesPerSegment = Math.round(seconds * framesPerSecond(plan.grid.frameRate))
  return { ...plan, grid: { ...plan.grid, framesPerSegment } }
}

void t.test(
  'the master playlist of an audio-only item has one rendition without size, and the additional tracks',
  async (t) => {
    const directory = reachableDirectory(t)
    const source = join(directory, 'a.mka')
    const tone = (hertz: number): string[] => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=2`]
    const languages = [
      '-metadata:s:a:0',
      'language=eng',
      '-metadata:s:a:1',
      'language=ger',
      '-disposition:a:1',
      'default',
    ]
    await ffmpeg(...tone(440), ...tone(880), '-map', '0', '-map', '1', '-c:a', 'flac', ...languages, source)
    t.strictSame(masterPlaylist(await soundPlanFor(source)).split('\n'), [
      '#EXTM3U',
      '#EXT-X-VERSION:4',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="German · mono",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English · mono",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,URI="media_va0.m3u8"',
      // For two tracks, because players fetch the additional one together with the played one.
      '#EXT-X-STREAM-INF:BANDWIDTH=499362,AVERAGE-BANDWIDTH=433830,CODECS="mp4a.40.2",AUDIO="sound"',
      'media_va1.m3u8',
      '',
    ])
  },
)
