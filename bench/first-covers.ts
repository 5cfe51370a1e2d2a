import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { logIn, PASSWORD, percentile, untilScanned, type Api } from './clients.ts'
import { familyMilliseconds } from './processor-time.ts'
import type { Figure } from './run.ts'
import { PHLIX, startServer, stop, timed, untilStopped } from './start.ts'

const AUDIOBOOKS = 200
const CLIENTS = 20
/** A delay that users do not notice. */
const TARGET_MILLISECONDS = 100

type Answer = { audiobooks: { name: string; cover_url: string }[] }

/**
 * The first covers of 200 audiobooks, each with an embedded picture of 1,000 pixels, requested by 20 concurrent clients: the p99 of the times
 * against a target, and the processor time of 100 covers against sharp alone on the same pictures.
 */
export async function benchFirstCovers(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-covers-'))
  const dataDirectory = join(folder, 'data')
  chmodSync(folder, 0o755)
  mkdirSync(dataDirectory, { mode: 0o711 })
  const pictures = await makeAudiobooks(join(folder, 'books'))
  timed(PHLIX, ['migrate', '--data-dir', dataDirectory])
  const create = ['user:create', 'ann', '--email', 'ann@example.test', '--admin', '--password-stdin']
  timed(PHLIX, [...create, '--data-dir', dataDirectory], PASSWORD)
  const words = ['serve', '--host', '127.0.0.1', '--websocket-port', '0', '--data-dir', dataDirectory]
  const { child, port } = await startServer((free) => [PHLIX, [...words, '--port', String(free)]])
  try {
    const address = `http://127.0.0.1:${port}`
    const addresses = await scanned(await logIn(address), join(folder, 'books'))
    const before = familyMilliseconds(Number(child.pid))
    const waits = await fetchAll(addresses.map((cover) => `${address}${cover}`))
    const ours = familyMilliseconds(Number(child.pid)) - before
    return [
      {
        name: `first covers, p99 of ${CLIENTS} clients`,
        ours: percentile(waits, 0.99),
        peer: TARGET_MILLISECONDS,
        unit: 'ms',
        peerName: 'target',
      },
      {
        name: 'processor time of 100 of them',
        ours: (ours * 100) / waits.length,
        peer: await bareMilliseconds(pictures),
        unit: 'ms',
        peerName: 'sharp alone',
      },
    ]
  } finally {
    await stop(child)
    await untilStopped(dataDirectory)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates the books. Returns their pictures, which are all different. */
async function makeAudiobooks(books: string): Promise<Buffer[]> {
  mkdirSync(books)
  const sound = join(books, '..', 'sound.m4a')
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=5', '-c:a', 'aac', sound])
  const pictures: Buffer[] = []
  for (let number = 0; number < AUDIOBOOKS; number += 1) {
    const noise = { type: 'gaussian', mean: 40 + (number % 150), sigma: 30 } as const
    const picture = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'black', noise } })
      .jpeg({ quality: 60 })
      .toBuffer()
    pictures.push(picture)
    const cover = join(books, '..', 'cover.jpg')
    writeFileSync(cover, picture)
    const book = join(books, `Book ${number}.m4b`)
    const streams = ['-map', '0', '-map', '1', '-c', 'copy', '-disposition:v', 'attached_pic']
    const tags = ['-metadata', `title=Book ${number}`, '-metadata', `album=Book ${number}`]
    execFileSync('ffmpeg', ['-v', 'error', '-i', sound, '-i', cover, ...streams, ...tags, '-f', 'mp4', book])
  }
  return pictures
}

/** Scans the folder. Returns the addresses of all covers. */
async function scanned(api: Api, path: string): Promise<string[]> {
  const { id } = (await api('POST', '/api/v1/libraries', { name: 'Books', type: 'audiobook', path })) as { id: string }
  await untilScanned(api, id)
  const addresses: string[] = []
  for (let offset = 0; offset < AUDIOBOOKS; offset += 50) {
    const { audiobooks } = (await api('GET', `/api/v1/audiobooks?limit=50&offset=${offset}`)) as Answer
    addresses.push(...audiobooks.map(({ cover_url: cover }) => cover))
  }
  if (new Set(addresses).size !== AUDIOBOOKS) throw new Error(`${addresses.length} covers instead of ${AUDIOBOOKS}`)
  return addresses
}

async function fetchAll(addresses: readonly string[]): Promise<number[]> {
  const waiting = [...addresses]
  const waits: number[] = []
  const client = async (): Promise<void> => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const asked = performance.now()
      const reply = await fetch(address)
      if (!reply.ok) throw new Error(`${address} was answered ${reply.status}`)
      await reply.arrayBuffer()
      waits.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return waits
}

/** Processor time of 100 covers of the size that lists use. */
async function bareMilliseconds(pictures: readonly Buffer[]): Promise<number> {
  sharp.cache(false)
  const before = process.cpuUsage()
  for (const picture of pictures)
    await sharp(picture).resize(320, 320, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000) * (100 / pictures.length)
}
