import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config/index.ts'
import { redactText } from './redaction.ts'

const POLL_MILLISECONDS = 300
const MAX_READ_BYTES = 1024 * 1024

/** How far a file was read, and the beginning of a line that was not yet written completely. */
type Position = { bytes: number; rest: string }

/**
 * The lines that are written to the files of `logs/` from now on, with secrets redacted, until the signal. New files of a rotation are
 * read from their beginning.
 */
export async function* followLogFiles(
  { config }: { config: Pick<Config, 'dataDirectory'> },
  signal: AbortSignal,
): AsyncGenerator<{ file: string; line: string }> {
  const directory = join(config.dataDirectory, 'logs')
  const positions = new Map<string, Position>()
  for (const file of await logsIn(directory))
    positions.set(file, { bytes: await sizeOf(join(directory, file)), rest: '' })
  while (!signal.aborted) {
    for (const file of await logsIn(directory)) {
      const position = positions.get(file) ?? { bytes: 0, rest: '' }
      positions.set(file, position)
      for (const line of await readNew(join(directory, file), position)) yield { file, line: redactText(line) }
    }
    await pause(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined)
  }
}

async function logsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => name.endsWith('.log')).toSorted()
}

async function sizeOf(path: string): Promise<number> {
  return withFile(path, async (file) => (await file.stat()).size, 0)
}

/** Advances the position over the complete lines behind it. A file that became shorter is read again. */
async function readNew(path: string, position: Position): Promise<string[]> {
  return withFile(
    path,
    async (file) => {
      const { size } = await file.stat()
      if (size < position.bytes) Object.assign(position, { bytes: 0, rest: '' })
      const length = Math.min(size - position.bytes, MAX_READ_BYTES)
      if (length <= 0) return []
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position.bytes)
      position.bytes += bytesRead
      const lines = `${position.rest}${buffer.toString('utf8', 0, bytesRead)}`.split('\n')
      position.rest = lines.pop() ?? ''
      return lines
    },
    [],
  )
}

/** A file that a rotation removed gives `missing`. Links are not followed. */
async function withFile<Result>(
  path: string,
  work: (file: Awaited<ReturnType<typeof open>>) => Promise<Result>,
  missing: Result,
): Promise<Result> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return missing
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
