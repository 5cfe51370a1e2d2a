import { extname, join } from 'node:path'
import t from 'tap'
import { engine, shuffled } from './engine.ts'
import { handMadeJob } from './hand-made-job.ts'
import { packetsOf, packetsOfPieces } from './support.ts'
import type { ProbedPacket } from './transport-packets.ts'
import { remuxFilm } from './test-films.ts'

/** Ticks of 1/90,000 s of the stream's clock at the first video frame. */
const ORIGIN = 900_000

const SOURCES: Record<string, { name: string; words: string[] }> = {
  MP4: { name: 'a.mp4', words: [] },
  Matroska: { name: 'a.mkv', words: [] },
  'a transport stream whose clock starts at 5,000 s': {
    name: 'a.ts',
    words: ['-output_ts_offset', '5000'],
  },
  'MP4 with AC-3, whose sound is encoded': { name: 'a.mp4', words: ['-c:a', 'ac3', '-ac', '6'] },
  'MP4 without sound': { name: 'a.mp4', words: ['-an'] },
}

function of(packets: readonly ProbedPacket[], kind: ProbedPacket['kind']): ProbedPacket[] {
  return packets.filter((packet) => packet.kind === kind)
}

for (const [name, { name: file, words }] of Object.entries(SOURCES)) {
  void t.test(`every packet of ${name} is in exactly one copied segment, at its position`, async (t) => {
    const source = await remuxFilm('film', extname(file), words)
    const isEncoded = name.includes('AC-3')
    const isSilent = name.includes('without')
    const job = await handMadeJob(source, { copySeconds: 3, audio: isSilent ? 'none' : isEncoded ? 'encode' : 'copy' })
    const { make, count, path, starts } = await engine(t, job)
    const boundaries = job.copy?.boundariesMicroseconds ?? []
    t.ok(boundaries.length >= 3, `${boundaries.length} segments`)
    for (const index of shuffled(count('original'))) await make('original', index)
    t.equal(starts.length, boundaries.length, 'a process for each')
    const pieces = await packetsOfPieces(
      boundaries.map((_, index) => path('original', index)),
      join(t.testdir(), 'joined.ts'),
    )
    const original = await packetsOf(source)
    const [all, zero] = [pieces.flat(), job.source.videoStartMicroseconds * 0.09]
    const expected = of(original, 'video').map(({ pts }) => Math.round(pts - zero + ORIGIN))
    t.ok(isSame(expected, of(all, 'video')), 'video')
    if (!isSilent && !isEncoded) {
      const sound = of(original, 'audio').map(({ pts }) => Math.round(pts - zero + ORIGIN))
      t.ok(isSame(sound, of(all, 'audio')), 'sound')
    }
    if (isEncoded) t.ok(isUnbroken(of(all, 'audio')), 'encoded audio continues without gap or overlap')
    for (const [index, piece] of pieces.entries()) {
      const [first] = of(piece, 'video')
      t.ok(first?.isKey, `segment ${index} begins with a key frame`)
      t.ok(Math.abs((first?.pts ?? 0) - ORIGIN - (boundaries[index] ?? 0) * 0.09) <= 90, 'where the playlist says')
    }
  })
}

/** The same packets in the same order; containers round timestamps by up to a millisecond. */
function isSame(expected: readonly number[], packets: readonly ProbedPacket[]): boolean {
  return expected.length === packets.length && packets.every(({ pts }, at) => Math.abs(pts - (expected[at] ?? 0)) <= 90)
}

function isUnbroken(packets: readonly ProbedPacket[]): boolean {
  return packets.slice(1).every(({ pts }, at) => pts - (packets[at]?.pts ?? 0) === 1920)
}
