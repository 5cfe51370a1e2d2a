import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { reachableDirectory } from '../../support/directories.ts'
import { engine, shuffled, straightRun } from './engine.ts'
import { handMadeJob } from './hand-made-job.ts'
import { sinePhaseExcursion } from './sine-phase.ts'
import { continuityErrors, ffmpeg, packetsOf, type ProbedPacket } from './support.ts'
import { makeFilm, type FilmKind } from './test-films.ts'

type Source = { film: FilmKind; name: string; words?: string[]; hasTone?: boolean }

/** Containers that differ in how they keep time, rates of pictures and of sound. */
const SOURCES: Record<string, Source> = {
  'MP4 with AAC at 23.976 frames per second': { film: 'film', name: 'a.mp4', hasTone: true },
  'Matroska with AAC, whose times are rounded to milliseconds': { film: 'film', name: 'a.mkv', hasTone: true },
  'Matroska with AC-3': { film: 'film', name: 'a.mkv', words: ['-c:a', 'ac3', '-ac', '6'], hasTone: true },
  'Matroska with Opus': { film: 'film', name: 'a.mkv', words: ['-c:a', 'libopus', '-ac', '2'] },
  'a transport stream whose clock starts at 5,000 s': {
    film: 'film',
    name: 'a.ts',
    words: ['-output_ts_offset', '5000'],
    hasTone: true,
  },
  'MP4 at 25 with sound at 44.1 kHz': { film: 'film25', name: 'a.mp4', hasTone: true },
  'MP4 at 29.97': { film: 'film2997', name: 'a.mp4' },
  'MP4 at 30 with sound at 44.1 kHz': { film: 'film30', name: 'a.mp4' },
  'MP4 at 50': { film: 'film50', name: 'a.mp4' },
  'MP4 at 59.94': { film: 'film5994', name: 'a.mp4' },
  'MP4 of variable frame rate': { film: 'filmVariable', name: 'a.mp4' },
  'AVI with MP3 and more sound than picture': { film: 'filmAvi', name: 'a.avi' },
  'sound that begins late and ends early': { film: 'filmLate', name: 'a.mp4' },
}

function timesOf(packets: readonly ProbedPacket[], kind: ProbedPacket['kind']): string[] {
  return packets.filter((packet) => packet.kind === kind).map(({ pts, dts }) => `${pts}/${dts}`)
}

for (const [name, { film, name: file, words = [], hasTone = false }] of Object.entries(SOURCES)) {
  void t.test(`segments of ${name}, made in no order by heads and single runs, are those of one run`, async (t) => {
    const directory = reachableDirectory(t)
    const source = join(directory, file)
    await ffmpeg('-i', await makeFilm(film), '-c', 'copy', ...words, source)
    const job = await handMadeJob(source)
    const { make, count, path } = await engine(t, job)
    const indexes = Array.from({ length: count('90p') }, (_, index) => index)
    t.ok(indexes.length >= 3, `${indexes.length} segments`)
    for (const index of shuffled(indexes.length)) await make('90p', index)
    const pieces = await Promise.all(indexes.map((index) => packetsOf(path('90p', index))))
    const straight = await packetsOf(await straightRun(job, '90p', join(directory, 'straight.ts')))
    for (const kind of ['video', 'audio'] as const) {
      t.strictSame(
        pieces.flatMap((piece) => timesOf(piece, kind)),
        timesOf(straight, kind),
        kind,
      )
    }
    t.equal(pieces[0]?.find((packet) => packet.kind === 'video')?.pts, 900_000, 'the clock begins at ten seconds')
    const joined = join(directory, 'joined.ts')
    await writeFile(joined, Buffer.concat(await Promise.all(indexes.map((index) => readFile(path('90p', index))))))
    t.equal(continuityErrors(await readFile(joined)), 0, 'continuity')
    if (hasTone) t.ok((await sinePhaseExcursion(joined)) < 50, 'the tone goes on within 50 microseconds')
    // The other rung, of which one segment stands for all: the same start, a key frame.
    const [other] = await packetsOf(await make('180p', 1))
    const video = pieces[1]?.find((packet) => packet.kind === 'video')
    t.ok(video?.isKey)
    t.equal((await packetsOf(path('180p', 1))).find((packet) => packet.kind === 'video')?.pts, video?.pts)
    t.ok(other)
  })
}
