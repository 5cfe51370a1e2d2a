import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import {
  killDaemon,
  registerAdmin,
  scanLibrary,
  startDaemon,
  stopDaemon,
  type AdminApi,
  type Daemon,
} from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { sampleMedia } from '../support/media.ts'
import { siblingOfDataDirectory, temporaryDataDirectory } from '../support/phlix.ts'
import { processesOf } from '../support/processes.ts'
import { waitUntil } from '../support/wait-until.ts'

type Place = {
  data: string
  /** The folder of the jobs. */
  transcodes: string
  start: () => Promise<Daemon>
  /** Replaces the encoder by `script`; `$FFMPEG` is the real one. */
  setEncoderScript: (script: string) => Promise<void>
}

/** A data directory, and a daemon whose ffmpeg can be replaced. */
async function prepare(t: Test): Promise<Place> {
  const data = await temporaryDataDirectory(t)
  const state = siblingOfDataDirectory(data, 'state')
  await mkdir(state)
  t.teardown(() => rm(state, { recursive: true, force: true }))
  // These tests do not need the embedded database, and a daemon with it starts more slowly.
  const { environment } = await testDatabase(t)
  const [program, script] = [join(state, 'encoder'), join(state, 'script')]
  const text = `#!/bin/sh\nFFMPEG=ffmpeg\n[ -e '${script}' ] && . '${script}'\nexec "$FFMPEG" "$@"\n`
  await writeFile(program, text, { mode: 0o755 })
  return {
    data,
    transcodes: join(data, 'cache', 'transcodes'),
    start: () => startDaemon(data, { ...environment, PHLIX_FFMPEG: program }),
    setEncoderScript: (lines) => writeFile(script, lines),
  }
}

/** Films of twenty seconds, 24000/1001 frames per second, scanned. */
async function addFilms(t: Test, { data }: Place, { api, names }: { api: AdminApi; names: string[] }) {
  const films = siblingOfDataDirectory(data, 'films')
  await mkdir(films)
  t.teardown(() => rm(films, { recursive: true, force: true }))
  for (const name of names) await copyFile(await sampleMedia('film-mp4'), join(films, `${name} (2001).mp4`))
  return scanLibrary(api, films)
}

type Stream = { jobId: string; query: string }

async function startStream(api: AdminApi, itemId: string | undefined): Promise<Stream> {
  const { job_id: jobId, master_url: master } = await api('POST', `/media/${itemId}/transcode?profile=web`)
  return { jobId: String(jobId), query: String(master).replace(/^[^?]*/, '') }
}

/** The signed URL of a file of a job, from the start of the job. */
const addressOf = ({ jobId, query }: Stream, file: string): string => `/hls/${jobId}/${file}${query}`

/** Downloads a segment to a file. */
async function download(daemon: Daemon, path: string, target: string): Promise<string> {
  const reply = await fetch(`${daemon.address}${path}`)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}: ${bytes.toString()}`)
  await writeFile(target, bytes)
  return target
}

/** Checks that every segment of a rendition has all its frames, and that its audio continues where the previous one ended. */
async function checkRendition(
  t: Test,
  { daemon, stream, rendition, folder }: { daemon: Daemon; stream: Stream; rendition: string; folder: string },
): Promise<void> {
  const list = await (await fetch(`${daemon.address}${addressOf(stream, `media_v${rendition}.m3u8`)}`)).text()
  const segments = [...list.matchAll(/#EXTINF:([\d.]+),\n([^?\n]+)/g)].map(([, seconds, name]) => ({
    frames: Math.round((Number(seconds) * 24_000) / 1001),
    name: name ?? '',
  }))
  t.equal(segments.length > 1, true, rendition)
  const paths: string[] = []
  for (const { name } of segments) paths.push(await download(daemon, addressOf(stream, name), join(folder, name)))
  const decoded = await decode(paths)
  for (const [index, { frames, name }] of segments.entries()) {
    t.equal(decoded[index]?.frames, frames, `${stream.jobId} ${name}`)
  }
  const sound = decoded.flatMap((segment) => segment.sound)
  // A packet of 1,024 samples at 48 kHz.
  const gaps = sound.slice(1).filter((pts, place) => Math.abs(pts - (sound[place] ?? 0) - 1920) > 1)
  t.strictSame([gaps, sound.length > segments.length], [[], true], `${rendition}: sound without a gap`)
}

/**
 * For each file the number of frames from a decoder that stops at the first error, and the times of the audio packets. One process decodes
 * all files, because starting it costs more than decoding a segment.
 */
async function decode(paths: readonly string[]): Promise<{ frames: number; sound: number[] }[]> {
  const inputs = paths.flatMap((path) => ['-i', path])
  const maps = paths.flatMap((_, index) => ['-map', `${index}:v`, '-map', `${index}:a`])
  const words = ['-nostdin', '-v', 'error', '-xerror', '-copyts', ...inputs, ...maps, '-c:a', 'copy', '-f', 'framecrc']
  const { stdout } = await promisify(execFile)('ffmpeg', [...words, '-'], { maxBuffer: 1 << 24 })
  const rows = stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(',').map(Number)] : []))
  return paths.map((_, index) => ({
    frames: rows.filter(([stream]) => stream === 2 * index).length,
    sound: rows.filter(([stream]) => stream === 2 * index + 1).map(([, , pts = 0]) => pts),
  }))
}

const encodersOf = ({ transcodes }: Place) => processesOf(transcodes)

/** Files in the folders of jobs, by job or by job and encoder. Folders may be removed during the listing. */
async function filesIn({ transcodes }: Place): Promise<{ heads: string[]; files: string[] }> {
  const listed = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  const files = (await Promise.all((await listed(transcodes)).map(listed))).flat()
  const heads = files.filter((path) => basename(path).startsWith('.head-'))
  return { heads, files: [...files, ...(await Promise.all(heads.map(listed))).flat()] }
}

/** Sizes in bytes of the segments in the hidden folders of encoders. Files that are moved or removed during the listing are left out. */
async function pieces(place: Place): Promise<number[]> {
  const found = (await filesIn(place)).files.filter((path) => /\/\.head-.*\.ts$/.test(path))
  const sizes = await Promise.all(found.map((path) => stat(path).then(({ size }) => [size], ignoreMissing)))
  return sizes.flat()
}

function ignoreMissing(error: unknown): never[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

async function shown(place: Place): Promise<string[]> {
  return (await filesIn(place)).files.filter((path) => /\/seg-[^/]*\.ts$/.test(path)).toSorted()
}

/** Replaces only encoders of jobs: a daemon also tests its encoder some time after the start. */
const ofJobs = (script: string): string => `case "$*" in */transcodes/*)\n${script}\nesac`

/**
 * An ffmpeg that reads a film slower than real time and writes each packet at once, so that the first segment is incomplete for half a
 * minute. The segment options come before the last argument, which names the files.
 */
const SLOW = ofJobs(`left=$#
for word; do
  left=$((left - 1))
  shift
  [ $left -eq 0 ] && set -- "$@" -segment_format_options flush_packets=1
  set -- "$@" "$word"
done
exec ffmpeg -readrate 0.2 "$@"`)

/** The encoder runs as a child of a shell: the kernel ends the shell when the daemon dies, but not the child of the shell. */
const ORPHANED = ofJobs('ffmpeg "$@" & wait; exit')

const place = await prepare(t)
let daemon = await place.start()
t.teardown(() => stopDaemon(daemon))
const api = await registerAdmin(daemon)
const items = await addFilms(t, place, { api, names: ['One', 'Two', 'Three'] })
/** Started once: the URLs of a job are valid in every daemon of this data directory. */
const [one, two, three] = [
  await startStream(api, items.get('One')),
  await startStream(api, items.get('Two')),
  await startStream(api, items.get('Three')),
]

void t.test(
  'a daemon killed while four encodes run leaves no encoder, nothing cut, and addresses that the next one serves (F-36)',
  async (t) => {
    for (const stream of [one, two]) {
      await download(daemon, addressOf(stream, 'seg-voriginal-00000.ts'), join(t.testdir(), 'seg.ts'))
    }
    await place.setEncoderScript(SLOW)
    const wanted = [one, two].flatMap((stream) =>
      ['360p', '240p'].map((rendition) => addressOf(stream, `seg-v${rendition}-00001.ts`)),
    )
    const answers = wanted.map((path) => fetch(`${daemon.address}${path}`).then(({ status }) => status))
    const ends = Promise.allSettled(answers)
    await waitUntil(
      'four pieces are begun',
      async () => (await pieces(place)).filter((bytes) => bytes > 0).length === 4,
    )
    t.equal(encodersOf(place).length, 4)
    const before = await shown(place)
    await killDaemon(daemon)
    t.ok(
      (await ends).every(({ status }) => status === 'rejected'),
      'no request was answered',
    )

    await waitUntil('all encoders end although no daemon has been started again', () => encodersOf(place).length === 0)
    t.strictSame(await shown(place), before, 'nothing that is not whole is shown')
    t.equal((await pieces(place)).length, 4, 'their files are in a folder that is not served')

    await place.setEncoderScript('')
    daemon = await place.start()
    await waitUntil('their files are removed', async () => (await filesIn(place)).heads.length === 0)
    for (const [stream, rendition] of [
      [one, 'original'],
      [one, '360p'],
      [one, '240p'],
      [two, '360p'],
      [two, '240p'],
    ] as const) {
      await checkRendition(t, { daemon, stream, rendition, folder: t.testdir() })
    }
  },
)

void t.test(
  'stopped encoders that outlive a killed daemon are ended by the next one, and no other program is (F-36)',
  async (t) => {
    await place.setEncoderScript(ORPHANED)
    for (const rendition of ['360p', '240p']) {
      await download(daemon, addressOf(three, `seg-v${rendition}-00000.ts`), join(t.testdir(), 'seg.ts'))
    }
    const isAlone = (command: string): boolean => command.startsWith('ffmpeg')
    await waitUntil('two encoders run', () => encodersOf(place).filter(({ command }) => isAlone(command)).length === 2)
    const words = '-nostdin -v error -re -f lavfi -i testsrc -f null -'.split(' ')
    const foreign = spawn('ffmpeg', words)
    await once(foreign, 'spawn')
    t.teardown(() => foreign.kill('SIGKILL'))
    await killDaemon(daemon)
    await waitUntil('the shells end', () => encodersOf(place).every(({ command }) => isAlone(command)))
    t.equal(encodersOf(place).length, 2, 'the encoders are suspended, and no program is there to end them')

    await place.setEncoderScript('')
    daemon = await place.start()
    t.match(daemon.log(), /"count":2,[^\n]*"msg":"ended programs that a killed process left behind"/)
    await waitUntil('the encoders end', () => encodersOf(place).length === 0)
    t.equal(foreign.exitCode ?? foreign.signalCode, null)
    await checkRendition(t, { daemon, stream: three, rendition: '240p', folder: t.testdir() })
  },
)
