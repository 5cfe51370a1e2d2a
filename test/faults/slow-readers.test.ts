import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, readlink, rm, truncate } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { registerAdmin, scanLibrary, startDaemon, stopDaemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { sampleMedia } from '../support/media.ts'
import { siblingOfDataDirectory, temporaryDataDirectory } from '../support/phlix.ts'
import { waitUntil } from '../support/wait-until.ts'

const READERS = 200
const ROUNDS = 10
const MEBIBYTE = 2 ** 20

/** Resident memory of a process in bytes (proc(5), VmRSS). */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

/** Bytes that a process has read so far, from files and sockets (proc(5), io). */
async function bytesRead(pid: number): Promise<number> {
  return Number(/^rchar: (\d+)/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** How often a process has a file open. */
async function openings(pid: number, path: string): Promise<number> {
  const folder = `/proc/${pid}/fd`
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')))
  return links.filter((link) => link === path).length
}

/** A client that has requested everything, has received the first bytes, and reads no more until resumed. */
async function slowReader(address: URL): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${address.pathname}${address.search} HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

void t.test(
  'two hundred slow readers of a large film cost less than 100 MiB, others are served, nothing stays open (F-22)',
  async (t) => {
    const data = await temporaryDataDirectory(t)
    const folder = siblingOfDataDirectory(data, 'films')
    await mkdir(folder)
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const film = join(folder, 'Film (2001).mp4')
    await copyFile(await sampleMedia('film-tiny-mp4'), film)
    // A sparse file, which needs no space on the disk.
    await truncate(film, 4 * 1024 * MEBIBYTE)
    const { environment } = await testDatabase(t)
    const daemon = await startDaemon(data, environment)
    t.teardown(() => stopDaemon(daemon))
    const api = await registerAdmin(daemon)
    const id = (await scanLibrary(api, folder)).get('Film')
    const { playback_info: info } = await api('GET', `/media/${id}/playback`)
    const [source] = (info as { media_sources: { stream_url: string }[] }).media_sources
    const address = new URL(source?.stream_url ?? '', daemon.address)
    const part = await fetch(address, { headers: { range: 'bytes=0-999' } })
    t.equal((await part.arrayBuffer()).byteLength, 1000)

    const pid = daemon.child.pid ?? 0
    /** Waits until the buffers of all connections are full: the daemon then reads almost nothing between two samples. */
    const untilReadersWait = async (): Promise<void> => {
      let before = await bytesRead(pid)
      await waitUntil('the readers hold the daemon up', async () => {
        const now = await bytesRead(pid)
        const isQuiet = now - before < MEBIBYTE
        before = now
        return isQuiet
      })
    }
    /** Sends requests of other clients meanwhile; returns the maximum memory. */
    const watch = async (readers: readonly Socket[]): Promise<number> => {
      let most = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const reader of readers) reader.read(1024)
        await api('GET', '/libraries')
        const seek = await fetch(address, { headers: { range: `bytes=${round * 400 * MEBIBYTE}-` } })
        await seek.body?.cancel()
        t.equal(seek.status, 206)
        await untilReadersWait()
        most = Math.max(most, await residentBytes(pid))
      }
      return most
    }
    // The memory of a new daemon grows without slow readers, too.
    const before = await watch([])
    const readers = await Promise.all(Array.from({ length: READERS }, () => slowReader(address)))
    t.teardown(() => readers.forEach((reader) => reader.destroy()))
    t.equal(await openings(pid, film), READERS)
    const grown = Math.round(((await watch(readers)) - before) / MEBIBYTE)
    t.comment(`${grown} MiB`)
    t.ok(grown < 100, `${grown} MiB`)
    for (const reader of readers) reader.destroy()
    await waitUntil('the daemon closes the film', async () => (await openings(pid, film)) === 0)
  },
)
