import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Figure } from './run.ts'

const CLIENTS = 64
const SLOW_READERS = 200
const SECONDS = Number(process.env['PHLIX_BENCH_STREAM_BYTES_SECONDS'] ?? 5)
const NGINX = '/usr/sbin/nginx'

/** Limit for the memory of slow readers. */
const TARGET_MEBIBYTES = 100

/** Clients in a separate process. Each requests random ranges of a mebibyte one after the other. Prints mebibytes per second. */
const CLIENT = `
const [url, size, clients, seconds] = [process.argv[1], ...process.argv.slice(2).map(Number)]
const until = performance.now() + seconds * 1000
let bytes = 0
const ask = async () => {
  while (performance.now() < until) {
    const from = Math.floor(Math.random() * Math.max(1, size - 1048576))
    const reply = await fetch(url, { headers: { range: 'bytes=' + from + '-' + (from + 1048575) } })
    if (reply.status !== 206) throw new Error('answered ' + reply.status)
    bytes += (await reply.arrayBuffer()).byteLength
  }
}
await Promise.all(Array.from({ length: clients }, ask))
console.log(bytes / 1048576 / seconds)
`

/** A player in a separate process that requests one segment repeatedly. Prints the median of the milliseconds until it is complete. */
const PLAYER = `
import { Agent, get } from 'node:http'
const agent = new Agent({ keepAlive: true })
const times = []
for (let round = 0; round < 200; round += 1) {
  const started = performance.now()
  await new Promise((resolve, reject) =>
    get(process.argv[1], { agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error('answered ' + reply.statusCode))
      reply.on('end', resolve).resume()
    }).on('error', reject))
  times.push(performance.now() - started)
}
console.log(times.sort((a, b) => a - b)[100])
`

/** Two hundred clients in a separate process that request a whole file and read a few bytes per second until they are killed. */
const SLOW_READER = `
import { connect } from 'node:net'
const { hostname, port, pathname, search } = new URL(process.argv[1])
const sockets = Array.from({ length: ${SLOW_READERS} }, () => {
  const socket = connect(Number(port), hostname, () => socket.write('GET ' + pathname + search + ' HTTP/1.1\\r\\nhost: ' + hostname + '\\r\\n\\r\\n'))
  return socket.on('error', () => {}).pause()
})
setInterval(() => sockets.forEach((socket) => socket.read(100)), 100)
`

type Served = { folder: string; name: string; streamUrl: string }

/** Ranges of a file against nginx, if it is installed, and the memory for two hundred slow readers. */
export async function benchStreamBytes({ folder, name, streamUrl }: Served): Promise<Figure[]> {
  const { size } = statSync(join(folder, name))
  const ours = await throughput(streamUrl, size)
  const peer = existsSync(NGINX) ? await nginxThroughput({ folder, name, size }) : undefined
  const figures: Figure[] = []
  if (peer !== undefined)
    figures.push({ name: `ranges, ${CLIENTS} clients, MiB`, ours, peer, unit: '/s', peerName: 'nginx' })
  const grown = await slowReaders(streamUrl)
  return [
    ...figures,
    {
      name: `memory, ${SLOW_READERS} slow readers`,
      ours: grown,
      peer: TARGET_MEBIBYTES,
      unit: 'MiB',
      peerName: 'target',
    },
  ]
}

async function throughput(url: string, size: number): Promise<number> {
  const words = ['--input-type=module', '-e', CLIENT, url, String(size), String(CLIENTS), String(SECONDS)]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  return Number(stdout)
}

async function nginxThroughput({
  folder,
  name,
  size,
}: {
  folder: string
  name: string
  size: number
}): Promise<number> {
  const port = 20_000 + (process.pid % 20_000)
  const file = join(folder, '..', 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path /tmp;`).join(' ')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${file}.pid; error_log stderr crit; events { worker_connections 1024; }
     http { access_log off; sendfile on; ${paths} server { listen 127.0.0.1:${port}; root "${folder}"; } }`,
  )
  execFileSync(NGINX, ['-t', '-q', '-c', file], { stdio: 'ignore' })
  const server = spawn(NGINX, ['-c', file], { stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`
    for (let tries = 0; tries < 100; tries += 1) {
      if (
        await fetch(url, { method: 'HEAD' }).then(
          (reply) => reply.ok,
          () => false,
        )
      )
        break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return await throughput(url, size)
  } finally {
    server.kill('SIGTERM')
  }
}

/** The median of the milliseconds until a cached segment has arrived. */
export async function keptSegment(url: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PLAYER, url])
  return Number(stdout)
}

/** The growth of this process in mebibytes while clients request the whole file and read a few bytes per second. */
async function slowReaders(streamUrl: string): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const readers = spawn(process.execPath, ['--input-type=module', '-e', SLOW_READER, streamUrl], { stdio: 'inherit' })
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    most = Math.max(most, process.memoryUsage.rss())
  }
  readers.kill('SIGKILL')
  return (most - before) / 2 ** 20
}
