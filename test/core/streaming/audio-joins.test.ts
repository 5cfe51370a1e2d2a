import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { framesPerSecond } from '../../../src/core/streaming/timeline/segment-timeline.ts'
import { audioRendition } from '../../../src/core/streaming/source/source-audio-tracks.ts'
import { defaultAudioTrack, type StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { engine, shuffled, straightRun } from './engine.ts'
import { sinePhaseExcursion } from './sine-phase.ts'
import { planFor } from './support.ts'
import { remuxFilm, type FilmKind } from './test-films.ts'

const EXPERIMENTAL = ['-strict', '-2']
const WMV = ['-c:v', 'wmv2']

type Source = { extension: string; film?: FilmKind; words: string[]; hasGaps?: boolean }

/** Codecs with different packet sizes, in containers that round timestamps, and audio with missing packets. */
const SOURCES: Record<string, Source> = {
  'AAC in Matroska': { extension: '.mkv', words: [] },
  'AAC in FLV at 44.1 kHz': { extension: '.flv', film: 'film25', words: [] },
  'MP3 in Matroska': { extension: '.mkv', film: 'film25', words: ['-c:a', 'libmp3lame'] },
  'AC-3 in Matroska': { extension: '.mkv', words: ['-c:a', 'ac3'] },
  'E-AC-3 in Matroska': { extension: '.mkv', words: ['-c:a', 'eac3'] },
  'FLAC in Matroska': { extension: '.mkv', words: ['-c:a', 'flac', '-frame_size', '4096'] },
  'Vorbis in Matroska': { extension: '.mkv', words: ['-c:a', 'libvorbis'] },
  'Opus in Matroska': { extension: '.mkv', words: ['-c:a', 'libopus'] },
  'PCM in Matroska': { extension: '.mkv', words: ['-c:a', 'pcm_s16le'] },
  'PCM in Matroska at 44.1 kHz': { extension: '.mkv', film: 'film25', words: ['-c:a', 'pcm_s16le'] },
  'ALAC in Matroska': { extension: '.mkv', words: ['-c:a', 'alac'] },
  'TrueHD in Matroska': { extension: '.mkv', words: ['-c:a', 'truehd', ...EXPERIMENTAL] },
  'DTS in Matroska': { extension: '.mkv', words: ['-c:a', 'dca', ...EXPERIMENTAL] },
  'WMA in ASF': { extension: '.wmv', words: [...WMV, '-c:a', 'wmav2'] },
  'WMA in ASF at 44.1 kHz': { extension: '.wmv', film: 'film25', words: [...WMV, '-c:a', 'wmav2'] },
  'fragmented MP4 with reordered pictures': { extension: '.mp4', words: ['-movflags', 'frag_keyframe+empty_moov'] },
  'a transport stream of which packets are lost': {
    extension: '.ts',
    words: ['-bsf:a', String.raw`noise=drop=eq(mod(n\,135)\,100)`],
    hasGaps: true,
  },
}

for (const [name, { extension, film = 'film', words, hasGaps = false }] of Object.entries(SOURCES)) {
  void t.test(`${name}: at every join, and after every gap, a tone continues within 50 microseconds`, async (t) => {
    const directory = reachableDirectory(t)
    // A film with gaps is longer, so that each segment contains some.
    const length = hasGaps ? [] : ['-t', '5']
    const plan = await planFor(await remuxFilm(film, extension, [...words, ...length]))
    const job = soundOf(plan, hasGaps ? 3 : 2)
    const [id = ''] = job.renditions.map((rendition) => rendition.id)
    const { make, count, path } = await engine(t, job)
    const indexes = Array.from({ length: count(id) }, (_, index) => index)
    t.equal(indexes.length, hasGaps ? 5 : 3)
    for (const index of shuffled(indexes.length)) await make(id, index)
    const joined = join(directory, 'joined.ts')
    await writeFile(joined, Buffer.concat(await Promise.all(indexes.map((index) => readFile(path(id, index))))))
    t.ok((await sinePhaseExcursion(joined, { hasGaps })) < 50, 'in random order')
    if (!hasGaps) return
    const straight = await straightRun(job, id, join(directory, 'straight.ts'))
    t.ok((await sinePhaseExcursion(straight, { hasGaps })) < 50, 'in one run')
  })
}

/** The played track as a separate rendition, in segments of this duration. */
function soundOf(plan: StreamPlan, segmentSeconds: number): StreamPlan {
  const track = defaultAudioTrack(plan)
  const framesPerSegment = Math.round(segmentSeconds * framesPerSecond(plan.grid.frameRate))
  return {
    ...plan,
    grid: { ...plan.grid, framesPerSegment },
    renditions: track === undefined ? [] : [audioRendition(track)],
  }
}
