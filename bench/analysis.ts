import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { TrickplaySetWriter } from '../src/core/analysis/trickplay/set-writer.ts'
import { createMatchingThread } from '../src/core/analysis/season/matching-thread.ts'
import { loadConfig, type Config } from '../src/core/platform/config/index.ts'
import { createImages, type Images } from '../src/core/platform/images/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../src/core/platform/media-tools/index.ts'
import { systemClock } from '../src/core/platform/time/index.ts'
import { seededRandom } from '../test/support/seeded-random.ts'
import { makeNaturalFilm, repeatFilm } from './natural-film.ts'
import { familyMilliseconds } from './processor-time.ts'
import type { Figure } from './run.ts'

/** Seconds that are encoded. They are repeated, so that the start of ffmpeg has the small share that it has in a film. */
const SECONDS = Number(process.env['PHLIX_BENCH_SECONDS'] ?? 60)
const REPEATED = 12

/** Processor seconds for an hour of film, and seconds for a season. */
const TARGETS = { pictures: 8, sound: 10, both: 11, season: 5 }

/** A season of 24 episodes of 42 minutes; a hash is 0.124 s. */
const EPISODES = 24
const EPISODE_HASHES = 20_350
const INTRO_HASHES = 340

/**
 * The processor time of reading an hour of 1080p H.264, for pictures of the time line, for the fingerprint, and for both at once; against the
 * targets, and against ffmpeg that decodes every frame for the same pictures. The natural film is the case that the targets are for; noise
 * that fills 6 Mbit/s is the worst one. Then the time of comparing a season, and the size of the pictures.
 */
export async function benchAnalysis(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-analysis-'))
  chmodSync(folder, 0o755)
  try {
    const config = loadConfig({ dataDirectory: join(folder, 'data'), environment: { PATH: process.env['PATH'] } })
    const log = await createLogger(config, { level: 'error' })
    const mediaTools = createMediaTools({ config, log })
    const images = createImages({ config, log, clock: systemClock, mediaTools })
    const tools = { config, mediaTools, images }
    process.stderr.write(`bench: making ${SECONDS} s of two films of 1080p\n`)
    const natural = { name: 'natural film', path: join(folder, 'natural.mkv'), seconds: SECONDS * REPEATED }
    await makeNaturalFilm(natural.path, { seconds: SECONDS, repeated: REPEATED })
    const noise = { name: 'noise', path: join(folder, 'noise.mkv'), seconds: SECONDS * REPEATED }
    makeNoise(noise.path)
    const figures = [...(await filmFigures(tools, natural)), ...(await filmFigures(tools, noise))]
    await images.close()
    const seconds = (await seasonSeconds()) * 1000
    return [
      ...figures,
      {
        name: 'comparing 24 episodes of 42 min',
        ours: seconds,
        peer: TARGETS.season * 1000,
        unit: 'ms',
        peerName: 'target',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Tools = { config: Config; mediaTools: MediaTools; images: Images }

type Film = { name: string; path: string; seconds: number }

async function filmFigures({ config, mediaTools, images }: Tools, { name, path, seconds }: Film): Promise<Figure[]> {
  const root = dirname(path)
  const perHour = 3600 / seconds
  const { size, mtimeNs } = statSync(path, { bigint: true })
  const facts = { itemId: '00000000-0000-4000-8000-000000000000', root, path, sizeBytes: Number(size) }
  const file = { ...facts, modifiedAtNanoseconds: mtimeNs.toString(), durationSeconds: seconds }
  let bytes = 0
  const read = async (wants: { pictures: boolean; sound: boolean }): Promise<number> => {
    const writer = new TrickplaySetWriter({ config, images }, file)
    const used = await processorSeconds(async () => {
      await analyse(mediaTools, path, { ...wants, writer })
      if (wants.pictures) await writer.commit()
    })
    bytes = Math.max(bytes, writer.bytes)
    return used * perHour
  }
  const pictures = await read({ pictures: true, sound: false })
  const sound = await read({ pictures: false, sound: true })
  const both = await read({ pictures: true, sound: true })
  const decoded = (await processorSeconds(() => decodeAll(path, root))) * (3600 / SECONDS)
  const figure = (what: string, ours: number, peer: number, peerName: string): Figure => {
    return { name: `an hour of ${name}: ${what}`, ours: ours * 1000, peer: peer * 1000, unit: 'ms', peerName }
  }
  return [
    figure('pictures', pictures, TARGETS.pictures, 'target'),
    figure('fingerprint', sound, TARGETS.sound, 'target'),
    figure('both', both, TARGETS.both, 'target'),
    figure('pictures', pictures, decoded, 'every frame decoded'),
    {
      name: `an hour of ${name}: size of pictures`,
      ours: (bytes * perHour) / 1024 ** 2,
      peer: Number(size) * (perHour / 1024 ** 2),
      unit: 'MiB',
      peerName: 'film',
    },
  ]
}

type Wants = { pictures: boolean; sound: boolean; writer: TrickplaySetWriter }

async function analyse(mediaTools: MediaTools, input: string, { pictures, sound, writer }: Wants): Promise<void> {
  const wanted = {
    streamIndex: 0,
    hdrTransfer: null,
    frames: 'shown_key' as const,
    maxPictures: 10_000,
    onPicture: (rgb: Buffer) => writer.frame(rgb),
  }
  const request = { input, pictures: pictures ? wanted : null, sound: sound ? { streamIndex: 1 } : null }
  const { isComplete, stderrTail } = await mediaTools.readPicturesAndFingerprint(request, { niceness: 0 })
  if (!isComplete) throw new Error(`the film was not read: ${stderrTail}`)
}

/** The reference: one picture for every ten seconds, with every frame decoded in one thread; of the first seconds, which are as the others. */
async function decodeAll(input: string, folder: string): Promise<void> {
  const words = ['-v', 'error', '-y', '-threads', '1', '-t', `${SECONDS}`, '-i', input, '-vf', 'fps=1/10,scale=320:-2']
  await promisify(execFile)('ffmpeg', [...words, '-q:v', '4', join(folder, 'picture-%05d.jpg')])
}

/** Processor time of this process and of the programs that it ran. */
async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const before = familyMilliseconds(process.pid)
  await work()
  return (familyMilliseconds(process.pid) - before) / 1000
}

function makeNoise(output: string): void {
  const video = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=24:d=${SECONDS},noise=alls=12:allf=t`]
  const sound = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:r=44100:a=0.3`]
  const rate = ['-b:v', '6M', '-maxrate', '8M', '-bufsize', '12M', '-g', '120', '-keyint_min', '120']
  const codec = ['-c:v', 'libx264', '-preset', 'superfast', ...rate, '-c:a', 'aac', '-b:a', '128k', '-ac', '2']
  repeatFilm([...video, ...sound, ...codec], { output, repeated: REPEATED })
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
