import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { packetsOf } from '../core/streaming/support.ts'
import {
  killDaemon,
  registerAdmin,
  scanLibrary,
  startDaemon,
  stopDaemon,
  type AdminApi,
  type Daemon,
} from '../support/daemon.ts'
import { sampleMedia } from '../support/media.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'
import { processesOf } from '../support/processes.ts'

const RENDITIONS = ['original', '360p', '240p']

/** F-36 allows five seconds and a start, and the longest that anything may stay is ninety seconds. */
const LONGEST_SECONDS = 90

type Stage = {
  data: string
  /** Where the jobs are. */
  transcodes: string
  start: () => Promise<Daemon>
  /** From now on encoders are what `script` says; `$FFMPEG` is the real one. */
  behave: (script: string) => Promise<void>
}

/** A data directory, and a daemon whose ffmpeg can be told to behave badly. */
async function stage(t: Test): Promise<Stage> {
  const data = await temporaryDataDirectory(t)
  const state = `${data}-state`
  await mkdir(state)
  t.teardown(() => rm(state, { recursive: true, force: true }))
  const [program, script] = [join(state, 'encoder'), join(state, 'script')]
  const text = `#!/bin/sh\nFFMPEG=ffmpeg\n[ -e '${script}' ] && . '${script}'\nexec "$FFMPEG" "$@"\n`
  await writeFile(program, text, { mode: 0o755 })
  return {
    data,
    transcodes: join(data, 'cache', 'transcodes'),
    start: () => startDaemon(data, { PHLIX_FFMPEG: program }),
    behave: (lines) => writeFile(script, lines),
  }
}

/** Films of twenty seconds, 24000/1001 frames per second, scanned. */
async function addFilms(t: Test, { data }: Stage, { api, names }: { api: AdminApi; names: string[] }) {
  const films = `${data}-films`
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

/** The address of a file of a job, as it was signed when the job was started. */
const addressOf = ({ jobId, query }: Stream, file: string): string => `/hls/${jobId}/${file}${query}`

/** A segment in a file of its own. */
async function download(daemon: Daemon, path: string, target: string): Promise<string> {
  const reply = await fetch(`${daemon.address}${path}`)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}: ${bytes.toString()}`)
  await writeFile(target, bytes)
  return target
}

/** Every segment of a rendition has all its frames, and its sound goes on where that of the one before ended. */
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
  const sound: number[] = []
  for (const { frames, name } of segments) {
    const path = await download(daemon, addressOf(stream, name), join(folder, name))
    t.equal(await decodedFrames(path), frames, `${stream.jobId} ${name}`)
    sound.push(...(await packetsOf(path)).filter(({ kind }) => kind === 'audio').map(({ pts }) => pts))
  }
  // A packet of 1,024 samples at 48 kHz.
  const gaps = sound.slice(1).filter((pts, place) => Math.abs(pts - (sound[place] ?? 0) - 1920) > 1)
  t.strictSame(gaps, [], `${rendition}: sound without a gap`)
}

/** How many frames come out of a decoder that stops at the first fault. */
async function decodedFrames(path: string): Promise<number> {
  const words = ['-nostdin', '-v', 'error', '-xerror', '-i', path, '-map', '0:v', '-f', 'framecrc', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', words, { maxBuffer: 1 << 24 })
  return stdout.split('\n').filter((line) => /^\d/.test(line)).length
}

const encodersOf = ({ transcodes }: Stage) => processesOf(transcodes)

/** Waits for a condition; without it coming the limit of the design is exceeded, and the test fails. */
async function until(isSo: () => boolean | Promise<boolean>, seconds = LONGEST_SECONDS): Promise<boolean> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    if (await isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** What lies in the folders of jobs, by job or by job and encoder. Folders may go while they are listed. */
async function filesIn({ transcodes }: Stage): Promise<{ heads: string[]; files: string[] }> {
  const listed = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  const files = (await Promise.all((await listed(transcodes)).map(listed))).flat()
  const heads = files.filter((path) => basename(path).startsWith('.head-'))
  return { heads, files: [...files, ...(await Promise.all(heads.map(listed))).flat()] }
}

/** Pieces in the hidden folders of encoders: of each how many bytes are there. */
async function pieces(place: Stage): Promise<number[]> {
  const found = (await filesIn(place)).files.filter((path) => /\/\.head-.*\.ts$/.test(path))
  return Promise.all(found.map(async (path) => (await stat(path)).size))
}

async function shown(place: Stage): Promise<string[]> {
  return (await filesIn(place)).files.filter((path) => /\/seg-[^/]*\.ts$/.test(path)).toSorted()
}

void t.test(
  'a daemon killed while four encodes run leaves no encoder, nothing cut, and addresses that the next one serves (F-36)',
  async (t) => {
    const place = await stage(t)
    const first = await place.start()
    const api = await registerAdmin(first)
    const items = await addFilms(t, place, { api, names: ['One', 'Two'] })
    const streams = [await startStream(api, items.get('One')), await startStream(api, items.get('Two'))]
    for (const stream of streams) {
      await download(first, addressOf(stream, 'seg-voriginal-00000.ts'), join(t.testdir(), 'seg.ts'))
    }

    // A film is read slower than it is played: the first piece of each encoder is not whole for 24 seconds.
    await place.behave('exec ffmpeg -readrate 0.25 "$@"')
    const wanted = streams.flatMap((stream) =>
      ['360p', '240p'].map((rendition) => addressOf(stream, `seg-v${rendition}-00001.ts`)),
    )
    const answers = wanted.map((path) => fetch(`${first.address}${path}`).then(({ status }) => status))
    const ends = Promise.allSettled(answers)
    t.ok(await until(async () => (await pieces(place)).filter((bytes) => bytes > 0).length === 4))
    t.equal(encodersOf(place).length, 4)
    const before = await shown(place)
    await killDaemon(first)
    t.ok(
      (await ends).every(({ status }) => status === 'rejected'),
      'nobody was answered',
    )

    t.ok(await until(() => encodersOf(place).length === 0), 'all are gone although no daemon has been started again')
    t.strictSame(await shown(place), before, 'nothing that is not whole is shown')
    t.equal((await pieces(place)).length, 4, 'what they had written lies aside')

    await place.behave('')
    const second = await place.start()
    t.teardown(() => stopDaemon(second))
    t.ok(await until(async () => (await filesIn(place)).heads.length === 0), 'and is removed')
    for (const stream of streams) {
      for (const rendition of RENDITIONS) {
        await checkRendition(t, { daemon: second, stream, rendition, folder: t.testdir() })
      }
    }
  },
)

void t.test(
  'encoders that outlive a killed daemon, standing still, are ended by the next one, and nobody else’s (F-36)',
  async (t) => {
    const place = await stage(t)
    const first = await place.start()
    const api = await registerAdmin(first)
    const items = await addFilms(t, place, { api, names: ['One'] })
    const stream = await startStream(api, items.get('One'))
    // The kernel ends the shell when the daemon dies, and not what the shell has started.
    await place.behave('ffmpeg "$@" & wait; exit')
    for (const rendition of ['360p', '240p']) {
      await download(first, addressOf(stream, `seg-v${rendition}-00000.ts`), join(t.testdir(), 'seg.ts'))
    }
    const isAlone = (command: string): boolean => command.startsWith('ffmpeg')
    t.ok(await until(() => encodersOf(place).filter(({ command }) => isAlone(command)).length === 2))
    const foreign = spawn('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-re',
      '-f',
      'lavfi',
      '-i',
      'testsrc',
      '-f',
      'null',
      '-',
    ])
    await once(foreign, 'spawn')
    t.teardown(() => foreign.kill('SIGKILL'))
    await killDaemon(first)
    t.ok(await until(() => encodersOf(place).every(({ command }) => isAlone(command))), 'the shells are gone')
    t.equal(encodersOf(place).length, 2, 'the encoders stand still, without anybody to end them')

    await place.behave('')
    const second = await place.start()
    t.teardown(() => stopDaemon(second))
    t.match(second.log(), /"count":2,[^\n]*"msg":"ended programs that a killed process left behind"/)
    t.ok(await until(() => encodersOf(place).length === 0))
    t.equal(foreign.exitCode ?? foreign.signalCode, null)
    await checkRendition(t, { daemon: second, stream, rendition: '240p', folder: t.testdir() })
  },
)
