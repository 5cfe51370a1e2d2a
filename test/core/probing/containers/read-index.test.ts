import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import t from 'tap'
import { openByteSource } from '../../../../src/core/platform/files/index.ts'
import { readIndex, type IndexReading } from '../../../../src/core/probing/containers/read-index.ts'
import { indexOfPackets } from '../../../../src/core/streaming/source-index.ts'
import { containerCorpus } from '../../../support/container-corpus.ts'
import { sampleMedia } from '../../../support/media.ts'
import { memorySource } from '../../../support/memory-source.ts'
import { ffmpeg, realMediaTools } from '../../streaming/support.ts'
import { readsDamagedIndexes } from './damaged-indexes.ts'

/** Of a frame: Matroska rounds the usual length of one to a nanosecond, and its times to a millisecond. */
const END_MICROSECONDS = 1000
const KEY_FRAME_MICROSECONDS = 1

function read(path: string): IndexReading & { reads: number } {
  const source = openByteSource(dirname(path), path)
  try {
    return { ...readIndex(source, 0), reads: source.reads }
  } finally {
    source.close()
  }
}

/** Films whose containers keep their time in different ways; `edited` begins in the middle of a group of pictures. */
async function films(directory: string): Promise<string[]> {
  const corpus = await containerCorpus()
  const names = ['moov-last.mp4', 'late-sound.mp4', 'uneven-rate.mp4', 'thirty.m4v', 'pcm.mov', 'index-in-front.mkv']
  const small = [...names, 'vp9-opus.webm'].map((name) => corpus.get(name) ?? '')
  const film = await sampleMedia('film-mp4')
  const every = `${directory}/every.mp4`
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=25:duration=2', '-c:v', 'libx264', '-g', '1', every)
  return [...small, every, film, await sampleMedia('film-mkv'), await sampleMedia('film-tracks-mkv')]
}

void t.test('the tables of containers say what the packets are', async (t) => {
  const mediaTools = await realMediaTools()
  for (const path of await films(t.testdir())) {
    const { index, unsupportedReason } = read(path)
    const packets = (await mediaTools.packets(path, { streamIndex: 0, timeoutSeconds: 60 })) ?? []
    const told = indexOfPackets(packets, 0)
    const name = basename(path)
    if (index === undefined) {
      t.fail(`${name}: ${unsupportedReason}`)
      continue
    }
    t.equal(index.keyFrameMicroseconds.length, told.keyFrameMicroseconds.length, name)
    const distances = index.keyFrameMicroseconds.map((at, place) => at - (told.keyFrameMicroseconds[place] ?? 0))
    t.ok(
      distances.every((distance) => Math.abs(distance) <= KEY_FRAME_MICROSECONDS),
      `${name}: ${distances.join(' ')}`,
    )
    t.ok(Math.abs(index.endMicroseconds - told.endMicroseconds) <= END_MICROSECONDS, `${name} ends`)
    t.ok(Math.abs(index.firstMicroseconds - told.firstMicroseconds) <= KEY_FRAME_MICROSECONDS, `${name} begins`)
    t.equal(index.hasConstantRate, told.hasConstantRate, `${name} is steady`)
    if (index.frameCount !== null) t.equal(index.frameCount, told.frameCount, name)
  }
})

void t.test('a few reads are enough', async (t) => {
  for (const kind of ['film-mp4', 'film-mkv'] as const) {
    const { reads } = read(await sampleMedia(kind))
    t.ok(reads <= 30, `${kind}: ${reads}`)
  }
})

void t.test('what has no such tables is doubt', async (t) => {
  const corpus = await containerCorpus()
  t.equal(read(await sampleMedia('film-ts')).index, undefined, 'a container without tables')
  t.equal(read(await sampleMedia('film-cut-mkv')).index, undefined, 'cut off before its cues')
  t.equal(read(await sampleMedia('song-mp3')).index, undefined)
  t.equal(read(corpus.get('fragments.mp4') ?? '').index, undefined, 'tables in fragments')
  const source = memorySource(readFileSync(await sampleMedia('film-mp4')))
  for (const stream of [1, 2, 99, -1])
    t.match(readIndex(source, stream), { unsupportedReason: 'another stream than expected' })
})

/** `npm run soak -- damaged-indexes` reads thousands, other ones in each round. */
void t.test('damaged tables are read or doubted, never thrown at, in bounded reads', (t) =>
  readsDamagedIndexes(t, { firstSeed: 1, files: 300 }),
)

void t.test(
  'tables of an MP4 that was broken off tell of pictures that are not there, and are not believed',
  async (t) => {
    t.match(read(await sampleMedia('film-cut-mp4')), {
      index: undefined,
      unsupportedReason: 'the file ends before its picture',
    })
  },
)
