import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { reachableDirectory } from '../../support/directories.ts'
import { engine, shuffled, straightRun } from './engine.ts'
import { handMadeJob } from './hand-made-job.ts'
import { sinePhaseExcursion } from './sine-phase.ts'
import { continuityErrors, packetsOf, packetsOfPieces } from './support.ts'
import type { ProbedPacket } from './transport-packets.ts'
import { remuxFilm, type FilmKind } from './test-films.ts'

type Source = {
  film: FilmKind
  extension: string
  words?: string[]
  hasTone?: boolean
  /** The whole film in segments of six seconds, as in production, instead of five seconds of it in segments of two. */
  isLong?: boolean
  /** The film itself lasts five seconds. */
  isBrief?: boolean
}

const FIVE_SECONDS = ['-t', '5']

/** Containers with different timestamps, and different frame and sample rates. */
const SOURCES: Record<string, Source> = {
  'MP4 with AAC at 23.976 frames per second': { film: 'film', extension: '.mp4', hasTone: true, isLong: true },
  'Matroska with AAC, whose times are rounded to milliseconds': { film: 'film', extension: '.mkv', hasTone: true },
  'Matroska with AC-3': {
    film: 'film',
    extension: '.mkv',
    words: ['-c:a', 'ac3', '-ac', '6'],
    hasTone: true,
  },
  'Matroska with Opus': {
    film: 'film',
    extension: '.mkv',
    words: ['-c:a', 'libopus', '-ac', '2'],
  },
  'a transport stream whose clock starts at 5,000 s': {
    film: 'film',
    extension: '.ts',
    words: ['-output_ts_offset', '5000'],
    hasTone: true,
  },
  'MP4 at 25 with sound at 44.1 kHz': { film: 'film25', extension: '.mp4', isBrief: true, hasTone: true },
  'MP4 at 29.97': { film: 'film2997', extension: '.mp4', isBrief: true },
  'MP4 at 30 with sound at 44.1 kHz': { film: 'film30', extension: '.mp4', isBrief: true },
  'MP4 at 50': { film: 'film50', extension: '.mp4', isBrief: true },
  'MP4 at 59.94': { film: 'film5994', extension: '.mp4' },
  'MP4 of variable frame rate': { film: 'filmVariable', extension: '.mp4', isBrief: true },
  'AVI with MP3 and more sound than picture': { film: 'filmAvi', extension: '.avi', isBrief: true },
  'sound that begins late and ends early': { film: 'filmLate', extension: '.mp4', isBrief: true },
}

function timesOf(packets: readonly ProbedPacket[], kind: ProbedPacket['kind']): string[] {
  return packets.filter((packet) => packet.kind === kind).map(({ pts, dts }) => `${pts}/${dts}`)
}

for (const [name, { film, extension, words = [], hasTone = false, isLong = false, isBrief = false }] of Object.entries(
  SOURCES,
)) {
  void t.test(
    `segments of ${name}, made out of order by continuing and single encoders, equal those of one run`,
    async (t) => {
      const directory = reachableDirectory(t)
      const source = await remuxFilm(film, extension, [...words, ...(isLong || isBrief ? [] : FIVE_SECONDS)])
      const job = await handMadeJob(source, isLong ? {} : { segmentSeconds: 2 })
      const { make, count, path } = await engine(t, job)
      const indexes = Array.from({ length: count('90p') }, (_, index) => index)
      t.ok(indexes.length >= 3, `${indexes.length} segments`)
      for (const index of shuffled(indexes.length)) await make('90p', index)
      const joined = join(directory, 'joined.ts')
      const pieces = await packetsOfPieces(
        indexes.map((index) => path('90p', index)),
        joined,
      )
      const straight = await packetsOf(await straightRun(job, '90p', join(directory, 'straight.ts')))
      for (const kind of ['video', 'audio'] as const) {
        t.strictSame(
          pieces.flatMap((piece) => timesOf(piece, kind)),
          timesOf(straight, kind),
          kind,
        )
      }
      t.equal(pieces[0]?.find((packet) => packet.kind === 'video')?.pts, 900_000, 'the clock begins at ten seconds')
      t.equal(continuityErrors(await readFile(joined)), 0, 'continuity')
      if (hasTone) t.ok((await sinePhaseExcursion(joined)) < 50, 'the tone continues within 50 microseconds')
      // The other rung, with its last segment as a sample: the same start, a key frame.
      const last = indexes.length - 1
      const other = (await packetsOf(await make('180p', last))).find((packet) => packet.kind === 'video')
      const video = pieces[last]?.find((packet) => packet.kind === 'video')
      t.ok(video?.isKey)
      t.ok(other?.isKey)
      t.equal(other?.pts, video?.pts)
    },
  )
}
