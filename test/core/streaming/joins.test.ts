import { join } from 'node:path'
import t from 'tap'
import { segmentCount } from '../../../src/core/streaming/frame-grid.ts'
import { encodeRange, ffmpeg, packetsOf, planFor, realMediaTools, type ProbedPacket } from './support.ts'

/** 14 s at 24000/1001 frames per second with a tone; small, since every source is encoded twice over. */
async function makeFilm(directory: string): Promise<string> {
  const path = join(directory, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=24000/1001:duration=14']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=14']
  await ffmpeg(
    ...picture,
    ...sound,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-g',
    '100',
    '-c:a',
    'aac',
    '-ac',
    '2',
    path,
  )
  return path
}

/**
 * The same film in containers that differ in how they keep time, and films of other forms: `film` to words of the
 * output.
 */
const SOURCES: Record<string, (film: string) => { name: string; words: string[] }> = {
  'MP4 with AAC': (film) => ({ name: 'a.mp4', words: ['-i', film, '-c', 'copy'] }),
  'Matroska with AC-3': (film) => ({ name: 'a.mkv', words: ['-i', film, '-c:v', 'copy', '-c:a', 'ac3', '-ac', '6'] }),
  'Matroska with AAC, whose times are rounded to milliseconds': (film) => ({
    name: 'a.mkv',
    words: ['-i', film, '-c', 'copy'],
  }),
  'a transport stream whose clock starts at 5,000 s': (film) => ({
    name: 'a.ts',
    words: ['-i', film, '-c', 'copy', '-output_ts_offset', '5000'],
  }),
  'MP4 with 44.1 kHz sound that begins late and ends early': (film) => ({
    name: 'a.mp4',
    words: [
      ['-i', film, '-itsoffset', '3.3', '-i', film, '-map', '0:v', '-map', '1:a'],
      ['-c:v', 'copy', '-c:a', 'aac', '-ar', '44100', '-af', 'atrim=0:7'],
    ].flat(),
  }),
  'AVI at 25 frames per second with MP3 and more sound than picture': () => ({
    name: 'a.avi',
    words: [
      ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=13'],
      ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=15'],
      ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
    ].flat(),
  }),
  'variable frame rate without sound': () => ({
    name: 'a.mp4',
    words: [
      ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30:duration=14'],
      ['-vf', "select='not(mod(n,3))+gt(sin(n),0)'", '-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ].flat(),
  }),
}

/** Last first, then from the middle outwards: no order that a player would use. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index * 2 + 1) % count)
    .concat(Array.from({ length: count }, (_, index) => index))
    .toReversed()
    .filter((value, at, all) => all.indexOf(value) === at)
}

/** Segments, each made by a process of its own in no particular order, then read in order. */
async function encodeSegments(
  path: string,
  directory: string,
): Promise<{ pieces: ProbedPacket[][]; straight: ProbedPacket[] }> {
  const mediaTools = await realMediaTools()
  const plan = await planFor(path)
  const count = segmentCount(plan.grid)
  for (const index of shuffled(count)) {
    await encodeRange(mediaTools, plan, {
      range: { first: index, last: index },
      output: join(directory, `${index}.ts`),
    })
  }
  const straight = join(directory, 'straight.ts')
  await encodeRange(mediaTools, plan, { range: { first: 0, last: count - 1 }, output: straight })
  const pieces: ProbedPacket[][] = []
  for (let index = 0; index < count; index += 1) pieces.push(await packetsOf(join(directory, `${index}.ts`)))
  return { pieces, straight: await packetsOf(straight) }
}

function timesOf(packets: readonly ProbedPacket[], kind: ProbedPacket['kind']): string[] {
  return packets.filter((packet) => packet.kind === kind).map(({ pts, dts }) => `${pts}/${dts}`)
}

for (const [name, sourceOf] of Object.entries(SOURCES)) {
  void t.test(`segments of ${name} have the packets of one straight run`, async (t) => {
    const directory = t.testdir()
    const source = sourceOf(await makeFilm(directory))
    await ffmpeg(...source.words, join(directory, source.name))
    const { pieces, straight } = await encodeSegments(join(directory, source.name), directory)
    t.ok(pieces.length >= 3, `${pieces.length} segments`)
    for (const kind of ['video', 'audio'] as const) {
      t.strictSame(
        pieces.flatMap((piece) => timesOf(piece, kind)),
        timesOf(straight, kind),
        kind,
      )
    }
    t.ok(
      pieces.every((piece) => piece.find((packet) => packet.kind === 'video')?.isKey === true),
      'every segment begins with a key frame',
    )
    t.equal(pieces[0]?.find((packet) => packet.kind === 'video')?.pts, 900_000, 'the clock begins at ten seconds')
  })
}
