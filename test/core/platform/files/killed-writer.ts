import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createFileStore } from '../../../../src/core/platform/files/file-store.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Writes pictures of many sizes under their own hashes, until it is killed. */
const WRITER = `
import { createHash } from 'node:crypto'
import { createFileStore } from './src/core/platform/files/file-store.ts'
import { systemClock } from './src/core/platform/time/index.ts'
import { seededRandom } from './test/support/seeded-random.ts'
const [directory, seed] = process.argv.slice(1)
const store = createFileStore({
  directory, limitBytes: 1e9, floorBytes: 0, clock: systemClock, log: { warning: console.error },
})
const { below } = seededRandom(Number(seed))
for (let number = 0; ; number += 8) {
  const blocks = Array.from({ length: 8 }, (_, index) => Buffer.alloc(8 + below(2_000_000), seed + ' ' + (number + index) + ' '))
  await Promise.all(blocks.map((bytes) => store.write(createHash('sha256').update(bytes).digest('hex'), bytes)))
}
`

/** The content of a store: names of complete files, and paths of partial ones. */
export type StoreContent = { whole: string[]; unfinished: string[] }

export function contentOf(directory: string): StoreContent {
  if (!existsSync(directory)) return { whole: [], unfinished: [] }
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return {
    whole: paths
      .filter((path) => !path.endsWith('.part'))
      .map((path) => path.slice(directory.length + 1).replace('/', '')),
    unfinished: paths.filter((path) => path.endsWith('.part')),
  }
}

/** Starts a process that writes into a store, and kills it at a moment. */
export async function killWriter(
  directory: string,
  { seed, moment }: { seed: number; moment: () => Promise<unknown> },
): Promise<void> {
  const words = ['--input-type=module', '--no-warnings', '-e', WRITER, directory, String(seed)]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.cache', 'compile') }
  const writer = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'], cwd: ROOT, env })
  const ended = once(writer, 'exit')
  try {
    await moment()
  } finally {
    writer.kill('SIGKILL')
    await ended
  }
}

/** The content of every visible file matches its name. */
export async function isAllWhole(t: Test, directory: string): Promise<void> {
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
  const store = createFileStore({ directory, limitBytes: 1e9, floorBytes: 0, clock: systemClock, log })
  const { whole } = contentOf(directory)
  const broken: string[] = []
  for (const name of whole) {
    const bytes = (await store.read(name))?.bytes ?? Buffer.alloc(0)
    if (createHash('sha256').update(bytes).digest('hex') !== name) broken.push(name)
  }
  t.strictSame(broken, [], `${whole.length} files are whole`)
}
