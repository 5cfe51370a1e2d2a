import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { reachableDirectory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { sampleMedia } from '../support/media.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { waitForNoProcess } from '../support/processes.ts'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'quickstart.ts')

/** Compiled modules are read back, because each run of the script would compile all of them. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', '.cache', 'compile'),
}

type Place = { media: string; data: string; words: string[]; port: number; socketPort: number }

/** Two films, a file that is not a film, a folder of music and one of no known kind; an empty data directory; two free ports. */
async function createPlace(t: Test): Promise<Place> {
  const top = reachableDirectory(t)
  const [media, data] = [join(top, 'media'), join(top, 'data')]
  for (const name of ['Movies', 'Music', 'Odds']) mkdirSync(join(media, name), { recursive: true })
  cpSync(await sampleMedia('film-tiny-mp4'), join(media, 'Movies', 'Arrival (2016).mp4'))
  cpSync(await sampleMedia('film-tracks-mkv'), join(media, 'Movies', 'Brazil (1985).mkv'))
  writeFileSync(join(media, 'Movies', 'Broken (2000).mkv'), 'no film')
  cpSync(await sampleMedia('song-mp3'), join(media, 'Music', 'Song.mp3'))
  t.teardown(() => waitForNoProcess(data))
  const [port, socketPort] = [await freePort(), await freePort()]
  const ports = ['--port', `${port}`, '--websocket-port', `${socketPort}`]
  return {
    media,
    data,
    port,
    socketPort,
    words: ['--media-dir', media, '--data-dir', data, '--host', '127.0.0.1', ...ports],
  }
}

/** Makes the database directory as a first start does. The first test starts without one. */
async function prepareDatabase(data: string): Promise<void> {
  mkdirSync(data, { mode: 0o700 })
  await copyPreparedCluster(data)
}

type Around = {
  /** `NAME=value` */
  environment?: readonly string[]
  /** Program and options that run it. */
  before?: readonly string[]
}

function start(words: readonly string[], { environment = [], before = [] }: Around = {}) {
  // A clean environment, because tap adds variables to every inherited one that slow down the start of Node.
  const clean = ['-i', ...Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`), ...environment]
  const child = spawn('env', [...clean, ...before, process.execPath, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { child, result: ended.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })) }
}

/** Resolves when a stream has printed this text. It only observes, because the whole text is collected elsewhere. */
async function printed(stream: Readable, words: string): Promise<void> {
  let said = ''
  await new Promise<void>((resolve) => {
    stream.on('data', (chunk) => {
      said += String(chunk)
      if (said.includes(words)) resolve()
    })
    stream.once('close', resolve)
  })
}

const run = (words: readonly string[], around?: Around) => start(words, around).result

/** Empty at the start; the next two tests continue with the result of the first one. */
const place = await createPlace(t)

void t.test('the first run makes everything, serves it, and the three printed lines work', async (t) => {
  const { words, port } = place
  const first = await run([...words, '--once'])
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, `Phlix is ready: http://127.0.0.1:${port}\n`)
  t.match(first.stdout, `then restart: bin/phlix config:set metadata.tmdb.api_key - --data-dir ${place.data}\n`)
  const [, password = ''] =
    /Sign in as admin with the password (\S{8,}) \(shown only in this run\)/.exec(first.stdout) ?? []
  t.match(first.stdout, new RegExp(`^The account admin was created. Its password is ${password} `))
  t.match(
    first.stdout,
    /\n"name":"(Arrival|Brazil)"\n"name":"(Arrival|Brazil)"\n"name":"Broken"\n/,
    'the second line lists the films',
  )
  t.match(first.stdout, /^206, 100 bytes of video\//m, 'the third line plays the first 100 bytes')
  t.match(first.stdout, /^http:.*\/stream\?exp=.*&sig=\S+$/m, 'and says where players find the whole film')
  t.match(first.stderr, 'Skipped folders, because their names are not those of a media type: Odds')
  t.match(first.stderr, 'Movies: 3 files, 3 new, 1 not readable')
  t.match(first.stderr, `    ${join(place.media, 'Movies', 'Broken (2000).mkv')}: not a media file`)

  t.match(first.stderr, /^\{"level":"notice",.*"the daemon listens"\}$/m, 'the log is JSON where nothing is a terminal')
})

void t.test('a later run keeps the account and the libraries, and Ctrl-C stops the server in good order', async (t) => {
  const { child, result } = start(place.words)
  await printed(child.stdout, 'Ctrl-C stops the server.')
  child.kill('SIGINT')
  const second = await result
  t.equal(second.code, 0, second.stderr)
  t.match(second.stdout, `To reset a lost password: bin/phlix user:reset-password admin --data-dir`)
  t.notMatch(second.stdout, 'with the password')
  t.match(second.stderr, 'Movies: 3 files, 0 new, 1 not readable')
})

void t.test('on a terminal the server logs nothing while all is well', async (t) => {
  // No folder of media, so nothing is scanned: only the server matters here.
  const words = [...place.words, '--media-dir', reachableDirectory(t)]
  const command = [process.execPath, script, ...words, '--once'].map((word) => `'${word}'`).join(' ')
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...ENVIRONMENT, SHELL: '/bin/sh' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [[code], shown] = await Promise.all([once(terminal, 'close'), text(terminal.stdout)])
  t.equal(code, 0, shown)
  t.match(shown, 'Phlix is ready: ')
  t.notMatch(shown, 'the daemon')
})

void t.test('a port in use is reported first, before anything is prepared', async (t) => {
  const { words, port, socketPort } = await createPlace(t)
  for (const [taken, option] of [
    [socketPort, '--websocket-port'],
    [port, '--port'],
  ] as const) {
    const other = createServer().listen(taken, '127.0.0.1')
    await once(other, 'listening')
    t.teardown(() => other.close())
    const { code, stdout, stderr } = await run(words)
    t.equal(code, 75)
    t.equal(stdout, '')
    t.match(stderr, new RegExp(`^Port ${taken} is in use: another program listens there\\. .*${option}\\.\\n$`))
  }
})

void t.test(
  'without ffmpeg the database is prepared, and the missing program is reported with exit code 69',
  async (t) => {
    const { words, data } = await createPlace(t)
    await prepareDatabase(data)
    const { code, stderr } = await run([...words, '--missing', 'Not here: ffmpeg.'])
    t.equal(code, 69)
    t.match(stderr, 'Not here: ffmpeg.\nThen run this again: everything else is ready.\n')
  },
)

void t.test(
  'a disk with less than the free space that the server keeps is named with numbers, with exit code 74',
  async (t) => {
    const { words, data } = await createPlace(t)
    const { code, stdout, stderr } = await run(words, { environment: ['HLS_MIN_DISK_SPACE_BYTES=1048576000000000'] })
    t.equal(code, 74)
    t.equal(stdout, '')
    t.match(
      stderr,
      new RegExp(`^The disk of ${data} has \\d+ MiB free, and 1000000200 MiB are needed: .*--data-dir\\.\\n$`),
    )
    t.match(stderr, '1000000000 MiB always stay free (hls.min_disk_space_bytes), and a new database takes 200 MiB')
    t.notOk(existsSync(data), 'nothing was made')
  },
)

void t.test('a data directory that cannot be made is named with exit code 77', async (t) => {
  const { words, data } = await createPlace(t)
  writeFileSync(data, 'a file')
  const below = join(data, 'below')
  const { code, stderr } = await run([...words, '--data-dir', below])
  t.equal(code, 77)
  t.equal(
    stderr,
    `The data directory ${below} cannot be used: ${data} is not a folder; choose another one with --data-dir.\n`,
  )
})

void t.test(
  'a machine without a loopback interface is reported with exit code 69, before anything is prepared',
  async (t) => {
    const alone = ['unshare', '--map-root-user', '--net']
    if (spawnSync('unshare', [...alone.slice(1), 'true']).status !== 0) {
      t.comment('this account may not make a network namespace')
      return
    }
    const { words, data } = await createPlace(t)
    const { code, stderr } = await run([...words, '--host', '0.0.0.0'], { before: alone })
    t.equal(code, 69, stderr)
    t.match(stderr, /^This machine does not reach itself at http:\/\/localhost:\d+ .*: sudo ip link set lo up\n$/)
    t.notOk(existsSync(data))
  },
)

void t.test('the password is printed before anything else can fail', async (t) => {
  const { words, data } = await createPlace(t)
  await prepareDatabase(data)
  const { code, stdout } = await run([...words, '--media-dir', '/nowhere/at/all'])
  t.not(code, 0)
  t.match(stdout, /^The account admin was created\. Its password is \S{8,} /)
})
