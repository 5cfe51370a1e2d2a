import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listItems } from '../src/core/catalogue/index.ts'
import { createLibrary } from '../src/core/libraries/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { migrate } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { queueScan, runScanJob } from '../src/core/scanning/index.ts'
import { createSigningServices, type SigningServices } from '../src/core/services.ts'
import { jobResource, parseStreamFile, startTranscode } from '../src/core/streaming/index.ts'
import { buildApp } from '../src/daemon/app.ts'
import type { Figure } from './run.ts'
import { median } from './start.ts'
import { benchStreamBytes, keptSegment } from './stream-bytes.ts'

/** Length of the film; a segment lasts six seconds. Use 20 for a quick trial. */
const SECONDS = Number(process.env['PHLIX_BENCH_STREAM_SECONDS'] ?? 90)
const SEEKS = Number(process.env['PHLIX_BENCH_STREAM_SEEKS'] ?? 12)
const SEGMENT_SECONDS = 6
const RUNGS = [
  { id: '720p', kilobits: 2800, height: 720 },
  { id: '240p', kilobits: 400, height: 240 },
]

/** Targets for the time of a seek, of a copied segment, and of a cached segment. */
const TARGET_MILLISECONDS = { seek: 2000, copy: 300, kept: 5 }

/**
 * Streaming a film of 720 lines: processor time of sequential playback against one pass of `ffmpeg -f hls` at the same rung, the time to the
 * first segment against plain ffmpeg for the same segment, seeks, copied and cached segments, joins, byte ranges against nginx, and memory for
 * slow readers.
 */
export async function benchStream(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-stream-'))
  chmodSync(folder, 0o755)
  const film = makeFilm(join(folder, 'films'))
  const services = await openServices(folder)
  try {
    const job = await prepare(services, join(folder, 'films'))
    const figures: Figure[] = []
    for (const rung of RUNGS) figures.push(...(await linear(job, { ...rung, film, folder })))
    figures.push(...(await latencies(job, { film, folder })))
    const app = await buildApp(services, { lifecycle: { isStopping: false } })
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    await job.ask('720p', 1)
    const segmentUrl = `${baseUrl}/hls/${job.id}/seg-v720p-00001.ts?${query(services, jobResource(job.id))}`
    const kept = { ours: await keptSegment(segmentUrl), peer: TARGET_MILLISECONDS.kept }
    figures.push({ name: 'kept segment at 720p, p50', ...kept, unit: 'ms', peerName: 'target' })
    const streamUrl = `${baseUrl}/media/${job.itemId}/stream?${query(services, `/media/${job.itemId}/stream`)}`
    figures.push(...(await benchStreamBytes({ folder: join(folder, 'films'), name: 'Film (2001).mp4', streamUrl })))
    await app.close()
    return figures
  } finally {
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Job = {
  id: string
  itemId: string
  count: number
  /** Requests a segment. Returns the milliseconds until it is complete. */
  ask: (rendition: string, index: number) => Promise<{ path: string; milliseconds: number }>
  /** Waits until no encoder runs. */
  end: () => Promise<void>
  /** Ends all encoders and removes all segments. */
  forget: () => Promise<void>
}

/** The source has film grain: plain ffmpeg encodes its 720p rung at four times the speed of playback on two cores. */
function makeFilm(folder: string): string {
  mkdirSync(folder)
  const path = join(folder, 'Film (2001).mp4')
  const words = `-f lavfi -i testsrc2=size=1280x720:rate=24000/1001:duration=${SECONDS} -f lavfi -i sine=frequency=440:sample_rate=48000:duration=${SECONDS} -vf noise=alls=3:allf=t -c:v libx264 -preset veryfast -b:v 5M -g 96 -pix_fmt yuv420p -c:a aac -ac 2`
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...words.split(' '), path])
  return path
}

async function openServices(folder: string): Promise<SigningServices> {
  const config = loadConfig({ dataDirectory: join(folder, 'data'), environment: {} })
  const services = await createSigningServices({ config, log: await createLogger(config, { level: 'error' }) })
  await migrate({ connectionUri: services.connectionUri, log: services.log })
  return services
}

async function prepare(services: SigningServices, folder: string): Promise<Job> {
  const library = await createLibrary(services, { name: 'Films', type: 'movie', path: folder })
  const { id: scanJobId } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId, whenAborted: 'cancel' }, new AbortController().signal)
  const [item] = (await listItems(services, { libraryId: library.id, limit: 1, offset: 0 })).items
  if (item === undefined) throw new Error('the film was not found')
  const { job } = await startTranscode(services, { itemId: item.id, profile: 'web' })
  const directory = join(services.config.dataDirectory, 'cache', 'transcodes', job.id)
  const playlist = readFileSync(join(directory, 'media_v240p.m3u8'), 'utf8')
  return {
    id: job.id,
    itemId: item.id,
    count: playlist.split('\n').filter((line) => parseStreamFile(line)?.kind === 'segment').length,
    ask: async (rendition, index) => {
      const started = performance.now()
      const path = await services.segments.segment({ jobId: job.id, rendition, index })
      return { path, milliseconds: performance.now() - started }
    },
    end: () => services.segments.endJob(job.id),
    forget: async () => {
      await services.segments.endJob(job.id)
      execFileSync('find', [directory, '-name', '*.ts', '-delete'])
    },
  }
}

type Rung = { id: string; kilobits: number; height: number; film: string; folder: string }

/** Seconds of processor time, those of ended children included (proc(5), fields 14 to 17; a hundred ticks to the second). */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / 100
}

async function linear(job: Job, rung: Rung): Promise<Figure[]> {
  const [ours, peer]: [number[], number[]] = [[], []]
  const paths: string[] = []
  for (let round = 0; round < 3; round += 1) {
    await job.forget()
    const before = processorSeconds()
    paths.length = 0
    for (let index = 0; index < job.count; index += 1) paths.push((await job.ask(rung.id, index)).path)
    await job.end()
    const between = processorSeconds()
    ours.push(between - before)
    bareHls(rung)
    peer.push(processorSeconds() - between)
  }
  const name = `watching ${SECONDS} s at ${rung.id}, processor`
  const watched = { name, ours: median(ours) * 1000, peer: median(peer) * 1000, unit: 'ms', peerName: 'ffmpeg -f hls' }
  return [{ ...watched, unit: 'ms' }, await joins(job, rung.id)]
}

/** The number of packets at times that differ from the grid, of segments that several processes encode in random order. */
async function joins(job: Job, rendition: string): Promise<Figure> {
  await job.forget()
  const order = Array.from({ length: job.count }, (_, index) => (index * 7 + 3) % job.count)
  const paths: string[] = []
  for (const index of new Set([...order, ...order.keys()])) paths[index] = (await job.ask(rendition, index)).path
  const packets = paths.flatMap((path) => packetTimes(path))
  const video = packets.filter(({ kind }) => kind === 'video').map(({ pts }) => pts)
  const audio = packets.filter(({ kind }) => kind === 'audio').map(({ pts }) => pts)
  const inOrder = video.toSorted((a, b) => a - b)
  const misplaced = [
    ...inOrder.filter((pts, frame) => Math.abs(pts - ORIGIN_TICKS - frame * FRAME_TICKS) > 1),
    ...audio.slice(1).filter((pts, at) => pts - (audio[at] ?? 0) !== AUDIO_PACKET_TICKS),
  ]
  const name = `packets out of place at ${rendition}`
  return { name, ours: misplaced.length, peer: packets.length, unit: ' ', peerName: 'all' }
}

/** 90,000 to the second: the first frame's, one at 24000/1001 and 1,024 samples at 48 kHz. */
const ORIGIN_TICKS = 900_000
const FRAME_TICKS = 3753.75
const AUDIO_PACKET_TICKS = 1920

function packetTimes(path: string): { kind: string; pts: number }[] {
  const words = ['-v', 'error', '-show_entries', 'packet=codec_type,pts', '-of', 'csv=p=0', path]
  const lines = execFileSync('ffprobe', words, { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [kind = '', pts = ''] = line.split(',')
    return pts === '' ? [] : [{ kind, pts: Number(pts) }]
  })
}

/** The ffmpeg arguments of one rung without the product. */
function rungWords({ kilobits, height }: Pick<Rung, 'kilobits' | 'height'>): string[] {
  const rate = `-b:v ${kilobits}k -maxrate ${kilobits * 1.07}k -bufsize ${kilobits * 2}k`
  const picture = `-vf scale=-2:${height},format=yuv420p -c:v libx264 -preset veryfast -profile:v high ${rate} -g 144`
  return `${picture} -keyint_min 144 -sc_threshold 0 -c:a aac -b:a 160k -ac 2`.split(' ')
}

function bareHls({ film, folder, ...rung }: Rung): void {
  const playlist = join(folder, 'bare.m3u8')
  const words = ['-v', 'error', '-y', '-i', film, ...rungWords(rung), '-f', 'hls', '-hls_time', '6', playlist]
  if (spawnSync('nice', ['-n', '5', 'ffmpeg', ...words]).status !== 0) throw new Error('ffmpeg -f hls failed')
}

async function latencies(job: Job, { film, folder }: { film: string; folder: string }): Promise<Figure[]> {
  const rows = { first: [] as number[], bare: [] as number[], seek: [] as number[], copy: [] as number[] }
  for (let round = 0; round < SEEKS; round += 1) {
    const index = (round * 5 + 2) % job.count
    await job.forget()
    rows.first.push((await job.ask('720p', index)).milliseconds)
    rows.bare.push(bareSegment({ film, folder, index }))
  }
  await job.forget()
  // As a viewer who seeks often: encoders of earlier positions are suspended.
  for (let round = 0; round < SEEKS; round += 1) {
    const index = (round * 7 + 3) % job.count
    rows.seek.push((await job.ask('720p', index)).milliseconds)
    rows.copy.push((await job.ask('original', Math.min(index, 1 + (round % 3)))).milliseconds)
  }
  const p95 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0
  const target = { unit: 'ms', peerName: 'target' } as const
  return [
    {
      name: 'first segment at 720p',
      ours: median(rows.first),
      peer: median(rows.bare),
      unit: 'ms',
      peerName: 'ffmpeg making it',
    },
    { name: 'seek at 720p, p95', ours: p95(rows.seek), peer: TARGET_MILLISECONDS.seek, ...target },
    { name: 'copied segment, p95', ours: p95(rows.copy), peer: TARGET_MILLISECONDS.copy, ...target },
  ]
}

function bareSegment({ film, folder, index }: { film: string; folder: string; index: number }): number {
  const cut = ['-ss', String(index * SEGMENT_SECONDS), '-i', film, '-t', String(SEGMENT_SECONDS)]
  const words = [...cut, ...rungWords({ kilobits: 2800, height: 720 }), '-f', 'mpegts', join(folder, 'bare.ts')]
  const started = performance.now()
  if (spawnSync('nice', ['-n', '5', 'ffmpeg', '-v', 'error', '-y', ...words]).status !== 0)
    throw new Error('ffmpeg failed')
  return performance.now() - started
}

function query({ signer }: SigningServices, resource: string): string {
  const { exp, sig } = signer.sign(resource)
  return `exp=${exp}&sig=${sig}`
}
