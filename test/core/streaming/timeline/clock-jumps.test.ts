import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  findClockGaps,
  toFileMicroseconds,
  toContinuousMicroseconds,
  filterGapsWithoutAudio,
} from '../../../../src/core/streaming/timeline/clock-jumps.ts'
import {
  findEntryPoints,
  makeClockContinuous,
  hasClockRestarts,
} from '../../../../src/core/streaming/timeline/clock-restarts.ts'
import { jobDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { buildStreamIndex, listUnindexedFilms } from '../../../../src/core/streaming/source/stream-index.ts'
import { startTranscode } from '../../../../src/core/streaming/transcodes/start-transcode.ts'
import { readStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { engine, shuffled } from '../engine.ts'
import { addFilm, streamingServices } from '../film-item.ts'
import { packetsOfPieces, planFor } from '../support.ts'
import { makeFilm, remuxFilm } from '../test-films.ts'

type Piece = { offset: number; seconds: number }
const [X264, X265, MPEG2] = [
  '',
  '-c:v libx265 -preset ultrafast -x265-params log-level=none',
  '-c:v mpeg2video -b:v 500k',
]

/** Returns one transport stream of several recordings, each with its own clock. */
async function recording(directory: string, codec: string, pieces: readonly Piece[]): Promise<string> {
  const words = codec === '' ? [] : codec.split(' ')
  const contents: Buffer[] = []
  for (const { offset, seconds } of pieces) {
    // Cut by time, the copy would end with frames of the next group of pictures.
    const frames = Math.round((seconds * 24_000) / 1001)
    const clock = ['-frames:v', `${frames}`, '-output_ts_offset', `${offset}`]
    contents.push(await readFile(await remuxFilm('film', '.ts', [...words, ...clock])))
  }
  const path = join(directory, 'recording.ts')
  await writeFile(path, Buffer.concat(contents))
  return path
}

/** The film is H.264 and copied unless another codec is given; it has a key frame every 2.085 s. The first case is long enough
 * for segments of six seconds, as in production; the others are encoded in segments of three. */
const cases: [what: string, codec: string, pieces: readonly Piece[], told: (seconds: number) => boolean][] = [
  [
    'jumps ahead',
    X264,
    [
      { offset: 0, seconds: 6.25 },
      { offset: 1007, seconds: 6.25 },
    ],
    (told) => told > 1000,
  ],
  [
    'jumps ahead in MPEG-2',
    MPEG2,
    [
      { offset: 0, seconds: 4.17 },
      { offset: 1007, seconds: 4.17 },
    ],
    (told) => told > 1000,
  ],
  [
    'restarts',
    X264,
    [
      { offset: 0, seconds: 4.17 },
      { offset: 0, seconds: 4.17 },
    ],
    (told) => told < 6,
  ],
  [
    'jumps back in HEVC, then ahead',
    X265,
    [
      { offset: 30, seconds: 3 },
      { offset: 20, seconds: 2.5 },
      { offset: 900, seconds: 3 },
    ],
    (told) => told > 800,
  ],
  [
    'wraps and restarts',
    X264,
    [
      { offset: 95_441, seconds: 4.17 },
      { offset: 95_440, seconds: 4.17 },
    ],
    (told) => told < 6,
  ],
]

void t.test('a recording with clock jumps has its real duration, and every segment exists', async (t) => {
  const services = await streamingServices(t)
  const { frames: film } = await decode(await makeFilm('film'))
  for (const [what, codec, pieces, isTold] of cases) {
    await t.test(what, async (t) => {
      const { itemId } = await addFilm(t, services, await recording(reachableDirectory(t), codec, pieces))
      const seconds = async () =>
        Number(await services.db.oneFirst(sql.unsafe`select duration_seconds from media_items where id = ${itemId}`))
      t.ok(isTold(await seconds()), `the header tells ${await seconds()} s`)
      const libraryId = String(
        await services.db.oneFirst(sql.unsafe`select library_id from media_items where id = ${itemId}`),
      )
      const unindexed = async () => listUnindexedFilms(services.db, { libraryId, after: null, limit: 1 })
      t.match(await unindexed(), [{ id: itemId, container: 'ts' }], 'the backfill would read it through')
      const { job } = await startTranscode(services, { itemId })
      t.strictSame(await unindexed(), [])
      const played = pieces.reduce((sum, piece) => sum + piece.seconds, 0)
      t.ok(Math.abs((await seconds()) - played) < 0.1, `${await seconds()} of ${played} s`)
      t.notOk(
        (job.variants ?? []).some(({ isCopy }) => isCopy),
        'a copy would keep the jump',
      )
      const plan = await readStreamPlan(jobDirectory(services.config, job.id))
      if (plan === undefined) throw new Error('the job has no plan')
      // If reading begins at a known byte, it begins after the jumps for some of the segments.
      const seekMarginSeconds = plan.source.entries.length > 0 ? 1 : plan.source.seekMarginSeconds
      const source = { ...plan.source, seekMarginSeconds }
      const grid = played > 12 ? plan.grid : { ...plan.grid, framesPerSegment: 72 }
      const { make, path, count } = await engine(t, { ...plan, source, grid })
      const id = job.variants?.at(-1)?.id ?? ''
      t.equal(count(id), 3)
      for (const index of shuffled(count(id))) await make(id, index)
      const places = Array.from({ length: count(id) }, (_, index) => path(id, index))
      const joined = await goesOn(t, places)
      await showsPieces(t, joined, { pieces, film })
    })
  }
})

void t.test('a clock that wraps has not jumped', async (t) => {
  const path = await remuxFilm('film', '.ts', ['-output_ts_offset', '95440'])
  const plan = await planFor(path)
  t.strictSame(plan.source.jumps, [])
  t.equal(plan.grid.frameCount, 336)
  const copy = plan.renditions.find((one) => one.kind === 'video' && one.isCopy)?.id ?? ''
  const lowest = plan.renditions[1]?.id ?? ''
  t.ok(copy !== '' && lowest !== '')
  const { make, path: pathOf, count } = await engine(t, plan)
  for (const id of [copy, lowest]) {
    for (const index of shuffled(count(id))) await make(id, index)
    await goesOn(
      t,
      Array.from({ length: count(id) }, (_, index) => pathOf(id, index)),
    )
  }
})

/** Asserts that video and audio have no gap or overlap; returns all segments as one file. */
async function goesOn(t: Test, segments: readonly string[]): Promise<string> {
  const joined = join(reachableDirectory(t), 'joined.ts')
  const packets = (await packetsOfPieces(segments, joined)).flat()
  for (const [kind, longest] of [
    ['video', 3754],
    ['audio', 1920],
  ] as const) {
    const times = packets.filter((packet) => packet.kind === kind).map(({ pts }) => pts)
    const sorted = times.toSorted((a, b) => a - b)
    const steps = sorted.slice(1).map((at, place) => at - (sorted[place] ?? 0))
    t.ok(
      steps.every((step) => step >= longest - 1 && step <= longest),
      `${kind}: no step is longer than ${Math.max(...steps)} ticks`,
    )
  }
  return joined
}

const program = promisify(execFile)
const [COLUMNS, LINES] = [64, 36]

/** Returns the frames of a file as small grey pictures, and what ffmpeg reports about silence. */
async function decode(path: string): Promise<{ frames: Buffer[]; silence: string }> {
  const picture = ['-map', '0:v', '-vf', `scale=${COLUMNS}:${LINES}`, '-pix_fmt', 'gray', '-f', 'rawvideo', '-']
  const sound = ['-map', '0:a', '-af', 'silencedetect=noise=-40dB:duration=0.15', '-f', 'null', '-']
  const words = ['-hide_banner', '-nostdin', '-nostats', '-i', path, ...picture, ...sound]
  const { stdout, stderr } = await program('ffmpeg', words, { encoding: 'buffer', maxBuffer: 1 << 26 })
  const size = COLUMNS * LINES
  const count = stdout.length / size
  const frames = Array.from({ length: count }, (_, place) => stdout.subarray(place * size, (place + 1) * size))
  return { frames, silence: stderr.toString() }
}

/** Asserts that the frames of the pieces are consecutive, and that the tone is continuous. */
async function showsPieces(
  t: Test,
  joined: string,
  { pieces, film }: { pieces: readonly Piece[]; film: readonly Buffer[] },
): Promise<void> {
  const { frames: shown, silence } = await decode(joined)
  const expected = pieces.flatMap(({ seconds }) => film.slice(0, Math.round((seconds * 24_000) / 1001)))
  const distance = (one: Buffer | undefined, other: Buffer | undefined): number =>
    one === undefined || other === undefined
      ? Infinity
      : one.reduce((sum, value, place) => sum + Math.abs(value - (other[place] ?? 0)), 0) / one.length
  // A piece may have one frame more or less than its duration.
  const wrong = shown.slice(0, -2).flatMap((frame, place) => {
    const near = expected.slice(Math.max(0, place - 2), place + 3)
    return Math.min(...near.map((one) => distance(frame, one))) < 6 ? [] : [place]
  })
  t.strictSame(wrong, [], 'every frame is that of its place')
  t.notMatch(silence, /silence_start/, 'the tone has no hole')
}

void t.test('jumps are distinguished from missing video, and timestamps are converted in both directions', (t) => {
  const packet = (seconds: number) => ({
    microseconds: seconds * 1_000_000,
    durationMicroseconds: 40_000,
    isKey: true,
    bytes: 1000,
    position: null,
  })
  const picture = [0, 1, 2, 1002, 1003, 2003, 2004].map(packet)
  const gaps = findClockGaps(picture)
  t.strictSame(gaps, [
    { atMicroseconds: 502_000_000, byMicroseconds: 999_960_000, position: null },
    { atMicroseconds: 1_503_000_000, byMicroseconds: 999_960_000, position: null },
  ])
  t.strictSame(
    filterGapsWithoutAudio(gaps, [1, 2, 900, 1002].map(packet)),
    gaps.slice(1),
    'audio continues where video is missing',
  )
  t.equal(toContinuousMicroseconds(2_003_000_000, gaps), 3_080_000)
  t.strictSame(
    picture.map(({ microseconds }) => toFileMicroseconds(toContinuousMicroseconds(microseconds, gaps), gaps)),
    picture.map(({ microseconds }) => microseconds),
  )
  t.end()
})

const cycle = 2 ** 33 / 90_000
const packet = (seconds: number, position: number | null = null, isKey = true) => ({
  microseconds: Math.round(seconds * 1_000_000),
  durationMicroseconds: 1_000_000,
  isKey,
  bytes: 100,
  position,
})

void t.test('a clock that restarts is followed in the order of the file', (t) => {
  const picture = [10, 11, 12, 3, 4, 104, 105].map((seconds, place) => packet(seconds, place * 1000))
  t.ok(hasClockRestarts(picture))
  const jumps = [
    { atMicroseconds: 13_000_000, byMicroseconds: -10_000_000, position: 3000 },
    { atMicroseconds: 5_000_000, byMicroseconds: 99_000_000, position: 5000 },
  ]
  t.strictSame(makeClockContinuous(picture, [])?.jumps, jumps)
  const times = makeClockContinuous(picture, [])?.packets.map(({ microseconds }) => microseconds / 1_000_000)
  t.strictSame(times, [10, 11, 12, 13, 14, 15, 16])
  const sound = [20, 50, 80].map((seconds) => packet(seconds, 4500))
  t.strictSame(makeClockContinuous(picture, sound)?.jumps, jumps.slice(0, 1), 'sound continues where video is missing')
  const index = buildStreamIndex(picture, 0, { sound: [], isTransportStream: true })
  t.strictSame(index.jumps, jumps)
  t.strictSame(findEntryPoints(index, 10_000_000), [
    { microseconds: 0, position: 0 },
    { microseconds: 3_000_000, position: 3000 },
    { microseconds: 5_000_000, position: 5000 },
  ])
  t.strictSame(buildStreamIndex(picture, 0, { sound: [], isTransportStream: false }).jumps, [], 'no byte to begin at')
  t.end()
})

void t.test('reordered frames and a wrapping clock are not restarts; unreachable jumps are kept', (t) => {
  t.notOk(hasClockRestarts([0, 2, 1, 0.5, 4, 3].map((seconds) => packet(seconds))), 'reordered')
  t.notOk(hasClockRestarts([cycle - 2, cycle - 1, 0, 1].map((seconds) => packet(seconds))), 'wraps')
  t.ok(hasClockRestarts([cycle - 2, cycle - 1, 0, cycle - 9].map((seconds) => packet(seconds))), 'wraps, then restarts')
  t.equal(
    makeClockContinuous(
      [5, 6, 1, 2].map((seconds) => packet(seconds, 0, seconds > 4)),
      [],
    ),
    undefined,
    'no key frame',
  )
  const often = (times: number) => Array.from({ length: 2 * (times + 1) }, (_, place) => packet((place % 2) * 5, place))
  t.equal(makeClockContinuous(often(100), [])?.jumps.length, 100)
  t.equal(makeClockContinuous(often(101), []), undefined, 'too often')
  t.strictSame(buildStreamIndex(often(101), 0, { sound: [], isTransportStream: true }).jumps, [])
  t.end()
})
