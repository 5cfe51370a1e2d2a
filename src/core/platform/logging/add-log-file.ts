import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MultiStreamRes } from 'pino'
import type { Config } from '../config/index.ts'
import { describeError } from '../errors/index.ts'
import type { Logger } from './logger.ts'

const KEPT_LOG_FILES = 30

/** Buffer for lines that the disk has not accepted yet. Further lines are dropped from the file. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * Adds `logs/phlix.N.log` as a destination of a logger. A folder or disk that cannot be written is reported once to the other destinations,
 * and again after a successful write; the process continues.
 * @param streams the destinations of `log`
 */
export async function addLogFile(
  streams: MultiStreamRes<string>,
  { config, log }: { config: Config; log: Logger },
): Promise<void> {
  const directory = join(config.dataDirectory, 'logs')
  const reportFailure = (error: unknown): void =>
    log.warning({ path: directory, reason: describeError(error) }, 'lines cannot be written to the log file')
  try {
    const file = await openLogFile(directory)
    let isFailing = false
    file.on('error', (error) => {
      // The report itself is written to the file too, and fails too.
      if (isFailing) return
      isFailing = true
      reportFailure(error)
    })
    file.on('write', () => (isFailing = false))
    streams.add({ level: 'trace', stream: file })
  } catch (error) {
    reportFailure(error)
  }
}

async function openLogFile(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Loaded on demand: the package includes a large date library.
  const { default: roll } = await import('pino-roll')
  const file = await roll({
    file: join(directory, 'phlix'),
    extension: '.log',
    frequency: 'daily',
    size: '20m',
    // Every line is written immediately. With 0 a flush would do nothing, even with pending writes.
    minLength: 1,
    maxLength: MAX_WAITING_BYTES,
    limit: { count: KEPT_LOG_FILES, removeOtherLogFiles: true },
  })
  try {
    await once(file, 'ready')
    return file
  } catch (error) {
    // Stops the timer of the next rotation, which would write to a file that was never opened.
    file.emit('close')
    throw error
  }
}
