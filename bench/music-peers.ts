import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMilliseconds } from './processor-time.ts'

/** `processorMilliseconds` is that of the program and its threads. */
export type PeerRun = { milliseconds: number; processorMilliseconds: number }

/** The time until mpd has read the whole library and writes its database; undefined if it is not installed. */
export async function scanWithMpd(folder: string, music: string): Promise<PeerRun | undefined> {
  const [config, database] = [join(folder, 'mpd.conf'), join(folder, 'mpd.db')]
  rmSync(database, { force: true })
  const lines = [
    `music_directory "${music}"`,
    `db_file "${database}"`,
    `bind_to_address "${join(folder, 'mpd.socket')}"`,
    'audio_output {\ntype "null"\nname "none"\n}',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  return timedUntil('mpd', ['--no-daemon', '--stderr', config], () => existsSync(database))
}

/** The time until minidlna logs the end of its scan; undefined if it is not installed. */
export async function scanWithMinidlna(folder: string, music: string): Promise<PeerRun | undefined> {
  const [config, state] = [join(folder, 'minidlna.conf'), join(folder, 'minidlna')]
  rmSync(state, { recursive: true, force: true })
  mkdirSync(state)
  const lines = [
    `media_dir=A,${music}`,
    `db_dir=${state}`,
    `log_dir=${state}`,
    'port=18200',
    'network_interface=lo',
    'inotify=no',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const log = join(state, 'minidlna.log')
  const hasFinished = (): boolean => existsSync(log) && /Scanning .* finished/.test(readFileSync(log, 'utf8'))
  return timedUntil('minidlnad', ['-S', '-f', config, '-P', join(state, 'pid')], hasFinished)
}

/** The time from the start of a program to the end of its work; undefined if it is not installed. */
async function timedUntil(program: string, words: string[], isDone: () => boolean): Promise<PeerRun | undefined> {
  if (spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status !== 0) return undefined
  const started = performance.now()
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  while (!isDone()) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const run = {
    milliseconds: performance.now() - started,
    processorMilliseconds: familyMilliseconds(child.pid ?? 0),
  }
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  return run
}
