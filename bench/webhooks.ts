import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addLibrary, logIn, percentile, untilScanned, type Api } from './clients.ts'
import { setUpData, whileServing, type Served } from './new-server.ts'
import type { Figure } from './run.ts'
import { makeFilmTree } from './scan-corpus.ts'

const FILMS = 20
const ROUNDS = 6
const PLAYS_PER_ROUND = 20
/** Four plays per second start and end. */
const PAUSE_MILLISECONDS = 200
const TICKS_PER_SECOND = 10_000_000

/** Targets: one never replies, one replies with ten gigabytes, one sends single bytes slowly, one redirects to this machine, and one is unreachable. */
const HOSTILE_TARGETS = `
import { createServer } from 'node:http'
const block = Buffer.alloc(1 << 20)
const pour = (response) => { while (response.write(block)); response.once('drain', () => pour(response)) }
const manners = [
  () => {},
  (response) => { response.writeHead(200, { 'content-length': 10 * 2 ** 30 }); pour(response) },
  (response) => { response.writeHead(200); setInterval(() => response.write('.'), 200) },
  (response) => response.writeHead(302, { location: 'http://127.0.0.1:' + process.argv[1] }).end(),
]
const ports = []
for (const manner of manners) {
  const server = createServer((request, response) => { request.resume(); response.on('error', () => {}); manner(response) })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  ports.push(server.address().port)
}
const dead = createServer()
await new Promise((resolve) => dead.listen(0, '127.0.0.1', resolve))
ports.push(dead.address().port)
dead.close()
process.stdout.write(JSON.stringify(ports))
`

/** The times of progress reports while five webhooks fail, against the same daemon without webhooks. */
export async function benchWebhooks(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-webhooks-'))
  chmodSync(folder, 0o755)
  const dataDirectory = join(folder, 'data')
  let targets: ChildProcess | undefined
  try {
    makeFilmTree(folder, FILMS)
    setUpData(dataDirectory, { isAdmin: true })
    const environment = { ...process.env, PHLIX_WEBHOOKS_ALLOW_PRIVATE: 'true' }
    const work = async ({ address, port }: Served): Promise<Figure[]> => {
      const started = spawn(process.execPath, ['--input-type=module', '-e', HOSTILE_TARGETS, String(port)])
      targets = started
      const [ports] = (await once(started.stdout, 'data')) as [Buffer]
      return measure(await logIn(address), {
        films: join(folder, 'films'),
        ports: JSON.parse(ports.toString()) as number[],
      })
    }
    return await whileServing(dataDirectory, work, environment)
  } finally {
    targets?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(api: Api, { films, ports }: { films: string; ports: number[] }): Promise<Figure[]> {
  await untilScanned(api, await addLibrary(api, films))
  const { items } = (await api('GET', '/api/v1/media?limit=50')) as { items: { id: string }[] }
  const film = items[0]?.id ?? ''
  await play(api, film)
  const waits = { quiet: [] as number[], beside: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    waits.quiet.push(...(await play(api, film)))
    const ids = await Promise.all(ports.map((port) => makeWebhook(api, port)))
    waits.beside.push(...(await play(api, film)))
    for (const id of ids) await api('DELETE', `/api/v1/admin/webhooks/${id}`)
    await pause(1000)
  }
  const both = { ours: percentile(waits.beside, 0.95), peer: percentile(waits.quiet, 0.95) }
  return [{ name: 'playback p95, five bad webhooks', ...both, unit: 'ms', peerName: 'without webhooks' }]
}

async function makeWebhook(api: Api, port: number): Promise<string> {
  const events = ['playback.started', 'playback.ended']
  const body = { name: String(port), url: `http://127.0.0.1:${port}/`, secret: 'a secret of the bench', events }
  const { webhook } = (await api('POST', '/api/v1/admin/webhooks', body)) as { webhook: { id: string } }
  return webhook.id
}

/** Sends the reports of some plays. Returns the time of each reply. */
async function play(api: Api, film: string): Promise<number[]> {
  const waits: number[] = []
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const asked = performance.now()
    const answer = await api('POST', path, body)
    waits.push(performance.now() - asked)
    return answer
  }
  for (let round = 0; round < PLAYS_PER_ROUND; round += 1) {
    const { session_id: session } = (await ask('/api/v1/sessions')) as { session_id: string }
    for (const seconds of [0, 10]) {
      const body = { media_item_id: film, position_ticks: seconds * TICKS_PER_SECOND }
      await ask(`/api/v1/sessions/${session}/progress`, body)
    }
    await ask(`/api/v1/sessions/${session}/complete`)
    await pause(PAUSE_MILLISECONDS)
  }
  return waits
}
