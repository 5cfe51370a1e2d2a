import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildRelease } from '../scripts/build-release.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { joinEngine, migrate } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { databaseMilliseconds } from './processor-time.ts'
import { scanWithMinidlna, scanWithMpd, type PeerRun } from './music-peers.ts'
import type { Figure } from './run.ts'
import { makeSongTree } from './song-corpus.ts'
import { median } from './start.ts'

const ALBUMS = 500
const ROUNDS = 3
const DROP_CACHES = '/proc/sys/vm/drop_caches'

/** The output of `scan-songs.ts`. */
export type SongScan = { scanMilliseconds: number; processorMilliseconds: number }

const ROOT = join(import.meta.dirname, '..')

/**
 * First scans of 5,000 tagged songs (FLAC and MP3; each album has a `cover.jpg`, every second one also embedded), each in a new
 * process with a running database, against mpd and minidlna where they are installed. In each round all of them scan the same files. The
 * scans run the compiled program, as the peers do.
 */
export async function benchSongs(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-songs-'))
  chmodSync(folder, 0o755)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  const dataDirectory = join(folder, 'data')
  const lease = await joinEngine({ dataDirectory, log })
  try {
    await migrate({ connectionUri: lease.connectionUri, log })
    const music = makeSongTree(folder, ALBUMS)
    const place = { folder, music, dataDirectory, script: await buildScan(join(folder, 'release')) }
    return [
      ...(await compare(place, { isCold: false })),
      ...(canDropCaches() ? await compare(place, { isCold: true }) : []),
    ]
  } finally {
    await lease.leave()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Place = { folder: string; music: string; dataDirectory: string; script: string }

async function compare(
  { folder, music, dataDirectory, script }: Place,
  { isCold }: { isCold: boolean },
): Promise<Figure[]> {
  const ours = { times: [] as number[], processor: [] as number[] }
  const peers = new Map<string, PeerRun[]>()
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isCold) dropCaches()
    const before = databaseMilliseconds(dataDirectory)
    const run = await scanInOwnProcess(script, [music, dataDirectory])
    ours.times.push(run.scanMilliseconds)
    ours.processor.push(run.processorMilliseconds + databaseMilliseconds(dataDirectory) - before)
    for (const [name, scan] of Object.entries({ mpd: scanWithMpd, minidlna: scanWithMinidlna })) {
      if (isCold) dropCaches()
      const peer = await scan(folder, music)
      if (peer !== undefined) peers.set(name, [...(peers.get(name) ?? []), peer])
    }
  }
  const cache = isCold ? 'disk cache empty' : 'disk cache full'
  return [...peers].flatMap(([peerName, runs]): Figure[] => [
    {
      name: `5,000 songs, ${cache}`,
      ours: median(ours.times),
      peer: median(runs.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      peerName,
    },
    {
      name: `processor time of that`,
      ours: median(ours.processor),
      peer: median(runs.map(({ processorMilliseconds }) => processorMilliseconds)),
      unit: 'ms',
      peerName,
    },
  ])
}

/** Answers the path of the compiled `scan-songs.ts`. */
async function buildScan(target: string): Promise<string> {
  await buildRelease({ root: ROOT, target, programs: { 'scan-songs': 'bench/scan-songs.ts' } })
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'))
  return join(target, 'dist', 'src', 'scan-songs.js')
}

async function scanInOwnProcess(script: string, words: readonly string[]): Promise<SongScan> {
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, script, ...words])
  return JSON.parse(stdout) as SongScan
}

function canDropCaches(): boolean {
  try {
    dropCaches()
    return true
  } catch {
    return false
  }
}

function dropCaches(): void {
  writeFileSync(DROP_CACHES, '3')
}
