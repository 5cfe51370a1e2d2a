import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './run.ts'

const ROOT = join(import.meta.dirname, '..')
export const PHLIX = join(ROOT, 'bin', 'phlix')
const RELEASE = join(ROOT, 'bin', 'run.js')
const ROUNDS = 7

/** The reference: a Fastify server with one route. */
const BARE_FASTIFY = `
import fastify from 'fastify'
const app = fastify()
app.get('/readyz', async () => ({ ok: true }))
await app.listen({ host: '127.0.0.1', port: Number(process.argv[1]) })
`

/** The command line of the built program, as the first line of its entry starts it. */
function release(...words: string[]): [string, string[]] {
  const interpreter = /^#!\/usr\/bin\/env -S (.*)$/m.exec(readFileSync(RELEASE, 'utf8'))?.[1] ?? 'node'
  return ['env', [...interpreter.split(' '), RELEASE, ...words]]
}

/** Start times and idle memory of the built program, measured alternately with Node alone and with a bare Fastify. */
export async function benchStart(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-'))
  chmodSync(dataDirectory, 0o711)
  try {
    timed(process.execPath, [join(ROOT, 'scripts', 'build.ts')])
    timed(...release('migrate', '--data-dir', dataDirectory))
    const version = interleaved(
      () => timed(...release('version')),
      () => timed(process.execPath, ['-e', '0']),
    )
    const daemon = await serveFigures(dataDirectory)
    return [{ name: 'phlix version', ...version, unit: 'ms', peerName: 'node -e 0' }, ...daemon]
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function serveFigures(dataDirectory: string): Promise<Figure[]> {
  const rows = { ready: [] as number[], bareReady: [] as number[], memory: [] as number[], bareMemory: [] as number[] }
  let list = { ours: 0, peer: 1 }
  for (let round = 0; round < ROUNDS; round++) {
    const listen = ['--host', '127.0.0.1', '--websocket-port', '0', '--data-dir', dataDirectory]
    const ours = await startServer((port) => release('serve', '--port', String(port), ...listen))
    rows.ready.push(ours.readyMilliseconds)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    rows.memory.push(residentMebibytes(ours.child))
    if (round === 0) {
      list = interleaved(
        () => timed(...release('library:list', '--data-dir', dataDirectory)),
        () => timed(process.execPath, ['-e', '0']),
      )
    }
    await stop(ours.child)
    const bare = await startServer((port) => [
      process.execPath,
      ['--input-type=module', '-e', BARE_FASTIFY, String(port)],
    ])
    rows.bareReady.push(bare.readyMilliseconds)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    rows.bareMemory.push(residentMebibytes(bare.child))
    await stop(bare.child)
  }
  return [
    { name: 'phlix library:list, engine up', ...list, unit: 'ms', peerName: 'node -e 0' },
    {
      name: 'phlix serve, start to ready',
      ours: median(rows.ready),
      peer: median(rows.bareReady),
      unit: 'ms',
      peerName: 'bare Fastify',
    },
    {
      name: 'phlix serve, idle memory',
      ours: median(rows.memory),
      peer: median(rows.bareMemory),
      unit: 'MiB',
      peerName: 'bare Fastify',
    },
  ]
}

/** Starts a server on a free port. Resolves when `/readyz` answers 200. */
export async function startServer(command: (port: number) => [string, string[]], environment = process.env) {
  const port = await freePort()
  const [program, words] = command(port)
  const started = performance.now()
  const child = spawn(program, words, { stdio: 'ignore', cwd: ROOT, env: environment })
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (reply?.ok) return { child, port, readyMilliseconds: performance.now() - started }
    if (child.exitCode !== null) throw new Error(`${program} ${words.join(' ')} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Sends SIGTERM to a server and waits for its end. */
export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** VmRSS of a process; `env` is replaced by Node, so the child is the daemon itself. */
function residentMebibytes(child: ChildProcess): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(match?.[1]) / 1024
}

/** Wall milliseconds of one run that must succeed. */
export function timed(program: string, words: string[], input = ''): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', cwd: ROOT, input })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}

function interleaved(ours: () => number, peer: () => number): { ours: number; peer: number } {
  const [a, b]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    a.push(ours())
    b.push(peer())
  }
  return { ours: median(a), peer: median(b) }
}

/** The median. */
export function median(values: number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Waits until the engine has stopped, which is shortly after the end of its last client. */
export async function untilStopped(dataDirectory: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (existsSync(join(dataDirectory, 'postgres', 'postmaster.pid')) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
