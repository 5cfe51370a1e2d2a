import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createAccount } from '../src/core/accounts/index.ts'
import { createLibrary } from '../src/core/libraries/index.ts'
import { listPhotos } from '../src/core/photos/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { migrate } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { queueScan, runScanJob } from '../src/core/scanning/index.ts'
import { createSigningServices, type SigningServices } from '../src/core/services.ts'
import { buildApp } from '../src/daemon/app.ts'
import type { Figure } from './run.ts'
import { median } from './start.ts'

const PHOTOS = Number(process.env['PHLIX_BENCH_PHOTOS'] ?? 60)
/** Other photos are copies of these: drawing noise takes longer than reading it. */
const DIFFERENT_PHOTOS = 6
const ROUNDS = 3
const LANES = availableParallelism()

/** Limit for the growth of memory. */
const TARGET_MEBIBYTES = 200

/** The reference: covers of 300 pixels by sharp alone, as many concurrently as there are cores. Prints the number per second. */
const BARE = `
import sharp from 'sharp'
import { readdirSync } from 'node:fs'
const [folder, size, lanes] = [process.argv[1], Number(process.argv[2]), Number(process.argv[3])]
sharp.cache(false)
const draw = (name) => sharp(folder + '/' + name, { autoOrient: true }).resize(size, size, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer()
const names = readdirSync(folder)
await draw(names[0])
const started = performance.now()
const waiting = [...names]
await Promise.all(Array.from({ length: lanes }, async () => { for (let name = waiting.pop(); name; name = waiting.pop()) await draw(name) }))
console.log((names.length * 1000) / (performance.now() - started))
`

/**
 * Thumbnails of JPEGs of 12 megapixels through the HTTP API against sharp alone on the same files; the same thumbnails from the cache against
 * an empty reply of the server; and the memory for drawing. Client and server share this process, so the figures are slightly too low.
 */
export async function benchImages(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-images-'))
  chmodSync(folder, 0o755)
  const photos = join(folder, 'photos')
  await makePhotos(photos)
  const services = await openServices(folder)
  try {
    return await measure(services, photos)
  } finally {
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openServices(folder: string): Promise<SigningServices> {
  const config = loadConfig({ dataDirectory: join(folder, 'data'), environment: {} })
  const log = await createLogger(config, { level: 'error' })
  const services = await createSigningServices({ config, log })
  await migrate({ connectionUri: services.connectionUri, log })
  return services
}

async function makePhotos(folder: string): Promise<void> {
  mkdirSync(folder)
  for (let index = 0; index < PHOTOS; index++) {
    const path = join(folder, `${index}.jpg`)
    if (index >= DIFFERENT_PHOTOS) await cp(join(folder, `${index % DIFFERENT_PHOTOS}.jpg`), path)
    else {
      const noise = { type: 'gaussian', mean: 100 + index, sigma: 30 } as const
      const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
      // Details as fine as in real photos.
      await picture.blur(1.5).jpeg({ quality: 90 }).toFile(path)
    }
  }
}

async function measure(services: SigningServices, photos: string): Promise<Figure[]> {
  const library = await createLibrary(services, { name: 'Photos', type: 'photo', path: photos })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  const app = await buildApp(services, { lifecycle: { isStopping: false } })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const { id: accountId } = await createAccount(services, ACCOUNT)
    const token = await logIn(baseUrl, accountId)
    const paths: string[] = []
    for (let offset = 0; offset < PHOTOS; offset += 100) {
      const page = await listPhotos(services, { limit: 100, offset })
      paths.push(...page.photos.map((photo) => `/api/v1/photo/photos/${photo.id}/thumbnail`))
    }
    return await compare({ photos, paths, get: (path) => get(baseUrl, path, token) })
  } finally {
    await app.close()
  }
}

const ACCOUNT = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }

async function logIn(baseUrl: string, accountId: string): Promise<string> {
  const reply = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: ACCOUNT.username, password: ACCOUNT.password }),
  })
  const { access_token: token } = (await reply.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`${accountId} could not log in: ${reply.status}`)
  return token
}

async function get(baseUrl: string, path: string, token: string): Promise<void> {
  const reply = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}`)
  await reply.arrayBuffer()
}

type Comparison = { photos: string; paths: readonly string[]; get: (path: string) => Promise<void> }

async function compare({ photos, paths, get }: Comparison): Promise<Figure[]> {
  const rates: Record<'drawn' | 'bare' | 'kept' | 'empty', number[]> = { drawn: [], bare: [], kept: [], empty: [] }
  const probes = paths.map(() => '/healthz')
  await get(`${paths[0]}?w=200&h=200`)
  const idleBytes = process.memoryUsage.rss()
  let peakBytes = idleBytes
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20)
  for (let round = 0; round < ROUNDS; round++) {
    // Another size each time, because drawn pictures are cached.
    const size = 300 + round
    const thumbnails = paths.map((path) => `${path}?w=${size}&h=${size}`)
    rates.drawn.push(await ratePerSecond(thumbnails, get))
    rates.bare.push(bareRate(photos, size))
    rates.kept.push(await ratePerSecond(thumbnails, get))
    rates.empty.push(await ratePerSecond(probes, get))
  }
  clearInterval(timer)
  const name = `thumbnails of ${readdirSync(photos).length} photos`
  return [
    { name, ours: median(rates.drawn), peer: median(rates.bare), unit: '/s', peerName: 'sharp alone' },
    { name: `${name}, kept`, ours: median(rates.kept), peer: median(rates.empty), unit: '/s', peerName: '/healthz' },
    {
      name: 'memory of drawing',
      ours: (peakBytes - idleBytes) / 2 ** 20,
      peer: TARGET_MEBIBYTES,
      unit: 'MiB',
      peerName: 'target',
    },
  ]
}

async function ratePerSecond(paths: readonly string[], work: (path: string) => Promise<void>): Promise<number> {
  const waiting = [...paths]
  const started = performance.now()
  const lane = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await work(path)
  }
  // Browsers send six requests at a time.
  await Promise.all(Array.from({ length: 6 }, lane))
  return (paths.length * 1000) / (performance.now() - started)
}

function bareRate(folder: string, size: number): number {
  const words = ['--input-type=module', '-e', BARE, folder, String(size), String(LANES)]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8', cwd: join(import.meta.dirname, '..') }))
}
