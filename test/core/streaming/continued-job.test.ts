import t from 'tap'
import { engine } from './engine.ts'
import { handMadeJob } from './hand-made-job.ts'
import { packetsOf } from './support.ts'
import type { ProbedPacket } from './transport-packets.ts'
import { makeFilm, remuxFilm } from './test-films.ts'

/** More than an hour, like the start of a film's second file: a whole number of ticks. */
const START_MICROSECONDS = 3_725_041_000
const START_TICKS = (START_MICROSECONDS / 1000) * 90
const ORIGIN = 900_000

/** The interleaving of video and audio by the muxer is irrelevant. */
function inOrder(packets: readonly ProbedPacket[]): ProbedPacket[] {
  return packets.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.pts - b.pts)
}

const FILMS = {
  'MP4 at 23.976 frames per second': () => remuxFilm('film', '.mp4', ['-t', '5']),
  'Matroska with AC-3': () => remuxFilm('film', '.mkv', ['-c:a', 'ac3', '-ac', '6', '-t', '5']),
  'sound that begins late': () => makeFilm('filmLate'),
}

for (const [name, film] of Object.entries(FILMS)) {
  void t.test(`a file that continues another one has the same packets at later timestamps: ${name}`, async (t) => {
    const path = await film()
    const alone = await handMadeJob(path, { segmentSeconds: 2, copySeconds: 2 })
    const later = { ...alone, startMicroseconds: START_MICROSECONDS }
    const [first, second] = [await engine(t, alone), await engine(t, later)]
    for (const id of ['90p', 'original']) {
      t.ok(first.count(id) >= 3, `${first.count(id)} segments`)
      for (let index = 0; index < first.count(id); index += 1) {
        const [expected, shifted] = await Promise.all(
          [first, second].map(async (one) => inOrder(await packetsOf(await one.make(id, index)))),
        )
        const wanted = expected?.filter(({ kind, pts }) => kind === 'video' || pts >= ORIGIN) ?? []
        t.equal(shifted?.length, wanted.length, `${id} ${index}: as many packets`)
        const far = shifted?.filter(({ kind, pts }, place) => {
          const other = wanted[place]
          return other?.kind !== kind || Math.abs(other.pts + START_TICKS - pts) > 1
        })
        t.strictSame(far, [], `${id} ${index}`)
      }
    }
  })
}
