import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetWriter } from '../src/core/analysis/trickplay/set-writer.ts'
import { createMatchingThread } from '../src/core/analysis/season/matching-thread.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { createImages } from '../src/core/platform/images/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../src/core/platform/media-tools/index.ts'
import { systemClock } from '../src/core/platform/time/index.ts'
import { seededRandom } from '../test/support/seeded-random.ts'
import { familyMilliseconds } from './processor-time.ts'
import type { Figure } from './run.ts'

const SECONDS = Number(process.env['PHLIX_BENCH_SECONDS'] ?? 240)
const PER_HOUR = 3600 / SECONDS

/** Processor seconds for an hour of film, and seconds for a season. */
const TARGETS = { pictures: 8, sound: 10, both: 11, season: 5 }

/** A season of 24 episodes of 42 minutes; a hash is 0.124 s. */
const EPISODES = 24
const EPISODE_HASHES = 20_350
const INTRO_HASHES = 340

/**
 * The processor time of reading an hour of 1080p H.264 at 6 Mbit/s with a key frame every 5 s, for pictures of the time line, for the
 * fingerprint, and for both at once; against the targets, and against ffmpeg that decodes every frame for the same pictures. Then the time of
 * comparing a season, and the size of the pictures.
 */
export async function benchAnalysis(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-analysis-'))
  chmodSync(folder, 0o755)
  try {
    const config = loadConfig({ dataDirectory: join(folder, 'data'), environment: { PATH: process.env['PATH'] } })
    const log = await createLogger(config, { level: 'error' })
    const mediaTools = createMediaTools({ config, log })
    const images = createImages({ config, log, clock: systemClock, mediaTools })
    const input = join(folder, 'film.mkv')
    await makeFilm(input)
    const read = async (wants: { pictures: boolean; sound: boolean }): Promise<{ seconds: number; bytes: number }> => {
      const { size, mtimeNs } = statSync(input, { bigint: true })
      const file = {
        itemId: '00000000-0000-4000-8000-000000000000',
        root: folder,
        path: input,
        sizeBytes: Number(size),
        modifiedAtNanoseconds: mtimeNs.toString(),
        durationSeconds: SECONDS,
      }
      const writer = new SetWriter({ config, images }, file)
      const seconds = await processorSeconds(async () => {
        await analyse(mediaTools, input, { ...wants, writer })
        if (wants.pictures) await writer.commit()
      })
      return { seconds: seconds * PER_HOUR, bytes: writer.bytes }
    }
    const pictures = await read({ pictures: true, sound: false })
    const sound = await read({ pictures: false, sound: true })
    const both = await read({ pictures: true, sound: true })
    const decoded = (await processorSeconds(() => decodeAll(input, folder))) * PER_HOUR
    await images.close()
    const figure = (name: string, ours: number, peer: number, peerName: string): Figure => {
      return { name, ours: ours * 1000, peer: peer * 1000, unit: 'ms', peerName }
    }
    return [
      figure('an hour of film: pictures', pictures.seconds, TARGETS.pictures, 'target'),
      figure('an hour of film: fingerprint', sound.seconds, TARGETS.sound, 'target'),
      figure('an hour of film: both', both.seconds, TARGETS.both, 'target'),
      figure('an hour of film: pictures', pictures.seconds, decoded, 'every frame decoded'),
      figure('comparing 24 episodes of 42 min', await seasonSeconds(), TARGETS.season, 'target'),
      {
        name: 'an hour of pictures',
        ours: (pictures.bytes * PER_HOUR) / 1024 ** 2,
        peer: statSync(input).size * (PER_HOUR / 1024 ** 2),
        unit: 'MiB',
        peerName: 'film',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Wants = { pictures: boolean; sound: boolean; writer: SetWriter }

async function analyse(mediaTools: MediaTools, input: string, { pictures, sound, writer }: Wants): Promise<void> {
  const wanted = {
    streamIndex: 0,
    hdrTransfer: null,
    frames: 'shown_key' as const,
    maxPictures: 10_000,
    onPicture: (rgb: Buffer) => writer.frame(rgb),
  }
  const request = { input, pictures: pictures ? wanted : null, sound: sound ? { streamIndex: 1 } : null }
  const { isComplete, stderrTail } = await mediaTools.analyse(request, { niceness: 0 })
  if (!isComplete) throw new Error(`the film was not read: ${stderrTail}`)
}

/** The reference: one picture for every ten seconds, with every frame decoded in one thread. */
async function decodeAll(input: string, folder: string): Promise<void> {
  const words = ['-v', 'error', '-y', '-threads', '1', '-i', input, '-vf', 'fps=1/10,scale=320:-2']
  await promisify(execFile)('ffmpeg', [...words, '-q:v', '4', join(folder, 'picture-%05d.jpg')])
}

/** Processor time of this process and of the programs that it ran. */
async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const before = familyMilliseconds(process.pid)
  await work()
  return (familyMilliseconds(process.pid) - before) / 1000
}

async function makeFilm(output: string): Promise<void> {
  process.stderr.write(`bench: making ${SECONDS} s of 1080p\n`)
  const video = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=24:d=${SECONDS},noise=alls=12:allf=t`]
  const sound = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:r=44100:a=0.3`]
  const rate = ['-b:v', '6M', '-maxrate', '8M', '-bufsize', '12M', '-g', '120', '-keyint_min', '120']
  const codec = ['-c:v', 'libx264', '-preset', 'superfast', ...rate, '-c:a', 'aac', '-b:a', '128k', '-ac', '2']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...video, ...sound, ...codec, output])
}

/** The time of comparing random episodes that share an intro and an outro, in the thread that the product uses. */
async function seasonSeconds(): Promise<number> {
  const random = seededRandom(1)
  const hashes = (count: number): Uint32Array => Uint32Array.from({ length: count }, () => random.below(2 ** 32))
  const [intro, outro] = [hashes(INTRO_HASHES), hashes(INTRO_HASHES)]
  const season = Array.from({ length: EPISODES }, () => {
    const episode = hashes(EPISODE_HASHES)
    episode.set(intro, random.below(1000))
    episode.set(outro, EPISODE_HASHES - INTRO_HASHES - random.below(200))
    return episode
  })
  await using matching = createMatchingThread()
  const started = performance.now()
  const { markers } = await matching.season(season)
  if (markers.length !== 2 * EPISODES) throw new Error(`${markers.length} of ${2 * EPISODES} markers were found`)
  return (performance.now() - started) / 1000
}
