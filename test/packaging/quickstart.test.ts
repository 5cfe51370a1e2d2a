import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { reachableDirectory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { sampleMedia } from '../support/media.ts'
import { waitForNoProcess } from '../support/processes.ts'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'quickstart.ts')

type Place = { media: string; data: string; words: string[]; port: number; socketPort: number }

/** Two films, a folder of music and one of no known kind; an empty data directory; two free ports. */
async function newcomer(t: Test): Promise<Place> {
  const top = reachableDirectory(t)
  const [media, data] = [join(top, 'media'), join(top, 'data')]
  for (const name of ['Movies', 'Music', 'Odds']) mkdirSync(join(media, name), { recursive: true })
  cpSync(await sampleMedia('film-mp4'), join(media, 'Movies', 'Arrival (2016).mp4'))
  cpSync(await sampleMedia('film-mkv'), join(media, 'Movies', 'Brazil (1985).mkv'))
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

function start(words: readonly string[]) {
  // A clean environment, because tap adds to every one that it sees and slows each Node down.
  const clean = ['-i', `PATH=${process.env['PATH'] ?? ''}`, `HOME=${tmpdir()}`]
  const child = spawn('env', [...clean, process.execPath, script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { child, result: ended.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })) }
}

/** Resolves when a stream has said these words; listens only, because the whole text is collected elsewhere. */
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

const run = (words: readonly string[]) => start(words).result

/** Empty at the start; the second test goes on with what the first one has made. */
const place = await newcomer(t)

void t.test('the first run makes everything, serves it, and the three printed lines work', async (t) => {
  const { words, port } = place
  const first = await run([...words, '--once'])
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, `Phlix is ready: http://127.0.0.1:${port}\n`)
  t.match(first.stdout, /Sign in as admin with the password \S{8,} \(shown only this once\)/)
  t.match(first.stdout, /"name":"(Arrival|Brazil)"/, 'the second line lists the films')
  t.match(first.stdout, /^206, 100 bytes of video\//m, 'the third line plays the first 100 bytes')
  t.match(first.stderr, 'Left alone, their names say no type: Odds')
  t.match(first.stderr, 'Movies: 2 files, 2 new')

  const second = await run([...words, '--once'])
  t.equal(second.code, 0, second.stderr)
  t.match(second.stdout, `a lost password is replaced by: bin/phlix user:reset-password admin --data-dir`)
  t.notMatch(second.stdout, 'with the password')
  t.match(second.stderr, 'Movies: 2 files, 0 new')
})

void t.test('Ctrl-C stops the server in good order', async (t) => {
  const { child, result } = start(place.words)
  await printed(child.stdout, 'Ctrl-C stops it.')
  child.kill('SIGINT')
  t.equal((await result).code, 0)
})

void t.test('a port that is in use is said at once, before anything is prepared', async (t) => {
  const { words, port, socketPort } = await newcomer(t)
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

void t.test('without ffmpeg the database is prepared, and what is missing is said with exit code 69', async (t) => {
  const { words } = await newcomer(t)
  const { code, stderr } = await run([...words, '--missing', 'Not here: ffmpeg.'])
  t.equal(code, 69)
  t.match(stderr, 'Not here: ffmpeg.\nThen run this again: everything else is ready.\n')
})
