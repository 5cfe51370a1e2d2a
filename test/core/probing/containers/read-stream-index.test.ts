import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import t from 'tap'
import { createBufferPool, openByteSource } from '../../../../src/core/platform/files/index.ts'
import { readStreamIndex, type IndexReadResult } from '../../../../src/core/probing/containers/read-stream-index.ts'
import { buildStreamIndex } from '../../../../src/core/streaming/source/stream-index.ts'
import { containerCorpus } from '../../../support/container-corpus.ts'
import { sampleMedia } from '../../../support/media.ts'
import { memorySource } from '../../../support/memory-source.ts'
import { ffmpeg, realMediaTools } from '../../streaming/support.ts'
import { keptMedia, makeFilm } from '../../streaming/test-films.ts'
import { readsDamagedIndexes } from './damaged-indexes.ts'

/** Tolerance per frame: Matroska rounds the default duration to a nanosecond, and timestamps to a millisecond. */
const END_MICROSECONDS = 1000
const KEY_FRAME_MICROSECONDS = 1

function read(path: string): IndexReadResult & { reads: number } {
  const source = openByteSource(createBufferPool(), dirname(path), path)
  try {
    return { ...readStreamIndex(source, 0), reads: source.reads }
  } finally {
    source.close()
  }
}

/** Films in containers with different timestamps; `edited` begins in the middle of a group of pictures. */
async function films(directory: string): Promise<string[]> {
  const corpus = await containerCorpus()
  const names = ['moov-last.mp4', 'late-sound.mp4', 'uneven-rate.mp4', 'thirty.m4v', 'pcm.mov', 'index-in-front.mkv']
  const small = [...names, 'vp9-opus.webm'].map((name) => corpus.get(name) ?? '')
  const film = await sampleMedia('film-mp4')
  const every = `${directory}/every.mp4`
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=25:duration=2', '-c:v', 'libx264', '-g', '1', every)
  return [...small, every, film, await sampleMedia('film-mkv'), await sampleMedia('film-tracks-mkv')]
}

void t.test('the index from the container’s tables equals that from the packets', async (t) => {
  const mediaTools = await realMediaTools()
  for (const path of await films(t.testdir())) {
    const { index, unsupportedReason } = read(path)
    const packets = (await mediaTools.listPackets(path, { streamIndex: 0, timeoutSeconds: 60 })) ?? []
    const told = buildStreamIndex(packets, 0)
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

void t.test('the bytes between Matroska cues exclude tracks that a copy does not send', async (t) => {
  const film = await makeFilm('filmLong')
  const maps = ['-map', '0:v', '-map', '0:a', '-map', '0:a', '-map', '0:a', '-c', 'copy']
  const sounds = ['-c:a:1', 'ac3', '-b:a:1', '640k', '-c:a:2', 'flac']
  const path = await keptMedia('long-sounds', '.mkv', ['-i', film, ...maps, ...sounds])
  const { index } = read(path)
  const mediaTools = await realMediaTools()
  const bytesOf = async (streamIndex: number): Promise<number> => {
    const packets = await mediaTools.listPackets(path, { streamIndex, timeoutSeconds: 60 })
    return (packets ?? []).reduce((sum, { bytes }) => sum + bytes, 0)
  }
  const sent = (await bytesOf(0)) + (await bytesOf(1))
  const told = (index?.keyFrameBytes ?? []).reduce((sum, bytes) => sum + bytes, 0)
  t.ok(told > 0.95 * sent && told < 1.1 * sent, `${told} of ${sent}`)
  t.ok((await bytesOf(2)) > sent, 'the others are larger')
})

void t.test('a few reads are enough', async (t) => {
  for (const [kind, most] of [
    ['film-mp4', 30],
    // The audio is not copied, so only video blocks are counted.
    ['film-mkv', 100],
  ] as const) {
    const { reads } = read(await sampleMedia(kind))
    t.ok(reads <= most, `${kind}: ${reads}`)
  }
})

void t.test('files without such tables are rejected', async (t) => {
  const corpus = await containerCorpus()
  t.equal(read(await sampleMedia('film-ts')).index, undefined, 'a container without tables')
  t.equal(read(await sampleMedia('film-cut-mkv')).index, undefined, 'cut off before its cues')
  t.equal(read(await sampleMedia('song-mp3')).index, undefined)
  t.equal(read(corpus.get('fragments.mp4') ?? '').index, undefined, 'tables in fragments')
  const source = memorySource(readFileSync(await sampleMedia('film-mp4')))
  for (const stream of [1, 2, 99, -1])
    t.match(readStreamIndex(source, stream), { unsupportedReason: 'another stream than expected' })
})

/** `npm run soak -- damaged-indexes` reads thousands, different ones in each round. */
void t.test('damaged tables are read or rejected, never an exception, in bounded reads', (t) =>
  readsDamagedIndexes(t, { firstSeed: 1, files: 300 }),
)

void t.test('the tables of a truncated MP4 list missing frames and are rejected', async (t) => {
  t.match(read(await sampleMedia('film-cut-mp4')), {
    index: undefined,
    unsupportedReason: 'the file ends before its picture',
  })
})
