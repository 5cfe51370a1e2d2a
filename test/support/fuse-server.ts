import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, writeSync, type BigIntStats } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * A read-only file system in user space that shows a folder: `node fuse-server.ts FOLDER MOUNT-POINT MARK`. While the process is stopped,
 * accesses block; after it is killed, they fail. As long as the file MARK exists, reading a folder called `broken` is an input/output
 * error. The protocol is include/uapi/linux/fuse.h of Linux, version 7.31; the kernel must not cache any response.
 */
const [source = '', mountPoint = '', mark = ''] = process.argv.slice(2)

const ERRORS = { ENOENT: 2, EIO: 5, ENOSYS: 38 }
const HEADER_BYTES = 40
const MAX_BYTES = 1024 * 1024

class Refusal extends Error {
  readonly code: keyof typeof ERRORS
  constructor(code: keyof typeof ERRORS) {
    super(code)
    this.code = code
  }
}

const device = openSync('/dev/fuse', 'r+')
const { status } = spawnSync(
  'mount',
  ['-i', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other', 'phlix-test', mountPoint],
  { stdio: ['ignore', 'ignore', 'inherit', device] },
)
if (status !== 0) process.exit(1)
process.stdout.write('mounted\n')

const paths = new Map<bigint, string>([[1n, source]])
const numbers = new Map<string, bigint>([[source, 1n]])

function numberOf(path: string): bigint {
  const number = numbers.get(path) ?? BigInt(numbers.size + 1)
  numbers.set(path, number)
  paths.set(number, path)
  return number
}

type Call = { number: bigint; path: string; body: Buffer }

function attributes(path: string): Buffer {
  const stats = statsOf(path)
  const bytes = Buffer.alloc(88)
  const times = [stats.atimeNs, stats.mtimeNs, stats.ctimeNs]
  bytes.writeBigUInt64LE(numberOf(path), 0)
  bytes.writeBigUInt64LE(stats.size, 8)
  bytes.writeBigUInt64LE(stats.blocks, 16)
  for (const [index, time] of times.entries()) {
    bytes.writeBigUInt64LE(time / 1_000_000_000n, 24 + 8 * index)
    bytes.writeUInt32LE(Number(time % 1_000_000_000n), 48 + 4 * index)
  }
  for (const [index, value] of [stats.mode, stats.nlink, stats.uid, stats.gid, 0n, 4096n].entries()) {
    bytes.writeUInt32LE(Number(value), 60 + 4 * index)
  }
  return bytes
}

function statsOf(path: string): BigIntStats {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) throw new Refusal('ENOENT')
  return stats
}

function initialize(): Buffer {
  const bytes = Buffer.alloc(64)
  for (const [index, value] of [7, 31, MAX_BYTES].entries()) bytes.writeUInt32LE(value, 4 * index)
  bytes.writeUInt32LE(MAX_BYTES, 20)
  return bytes
}

function lookUp({ path, body }: Call): Buffer {
  const target = join(path, body.subarray(0, body.indexOf(0)).toString())
  const known = attributes(target)
  const bytes = Buffer.alloc(40)
  bytes.writeBigUInt64LE(numberOf(target), 0)
  return Buffer.concat([bytes, known])
}

function listFolder({ path, body }: Call): Buffer {
  if (basename(path) === 'broken' && existsSync(mark)) throw new Refusal('EIO')
  const entries = readdirSync(path, { withFileTypes: true })
  const chunks: Buffer[] = []
  let room = body.readUInt32LE(16)
  for (let index = Number(body.readBigUInt64LE(8)); index < entries.length; index += 1) {
    const entry = entries[index]
    const name = Buffer.from(entry?.name ?? '')
    const bytes = Buffer.alloc(24 + Math.ceil(name.length / 8) * 8)
    room -= bytes.length
    if (room < 0) break
    bytes.writeBigUInt64LE(numberOf(join(path, name.toString())), 0)
    bytes.writeBigUInt64LE(BigInt(index + 1), 8)
    bytes.writeUInt32LE(name.length, 16)
    bytes.writeUInt32LE(entry?.isDirectory() === true ? 4 : 8, 20)
    name.copy(bytes, 24)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function readFile({ path, body }: Call): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(body.readUInt32LE(16))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, Number(body.readBigUInt64LE(8))))
  } finally {
    closeSync(descriptor)
  }
}

const nothing = (): Buffer => Buffer.alloc(0)
const opened = (): Buffer => Buffer.alloc(16)

/** Handlers by the numbers of `enum fuse_opcode`. */
const ANSWERS: Readonly<Record<number, (call: Call) => Buffer>> = {
  1: lookUp,
  3: ({ path }) => Buffer.concat([Buffer.alloc(16), attributes(path)]),
  14: opened,
  15: readFile,
  17: () => Buffer.alloc(80),
  18: nothing,
  25: nothing,
  26: initialize,
  27: opened,
  28: listFolder,
  29: nothing,
}
/** FORGET, INTERRUPT and BATCH_FORGET have no response. */
const UNANSWERED = new Set([2, 36, 42])

function answer(request: Buffer): Buffer | undefined {
  const operation = request.readUInt32LE(4)
  if (UNANSWERED.has(operation)) return undefined
  const number = request.readBigUInt64LE(16)
  const call = { number, path: paths.get(number) ?? source, body: request.subarray(HEADER_BYTES) }
  const head = Buffer.alloc(16)
  request.copy(head, 8, 8, 16)
  let body = nothing()
  try {
    const work = ANSWERS[operation]
    if (work === undefined) throw new Refusal('ENOSYS')
    body = work(call)
  } catch (error) {
    head.writeInt32LE(-ERRORS[error instanceof Refusal ? error.code : 'EIO'], 4)
  }
  head.writeUInt32LE(16 + body.length, 0)
  return Buffer.concat([head, body])
}

const buffer = Buffer.alloc(MAX_BYTES + 4096)
for (;;) {
  const length = readSync(device, buffer)
  const reply = answer(buffer.subarray(0, length))
  if (reply !== undefined) writeSync(device, reply)
}
