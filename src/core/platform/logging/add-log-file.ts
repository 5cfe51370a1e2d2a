import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MultiStreamRes } from 'pino'
import type { Config } from '../config/index.ts'
import { describeError } from '../errors/index.ts'
import type { Logger } from './create-logger.ts'

const KEPT_LOG_FILES = 30

/** Lines that wait while the disk takes none; those beyond are dropped from the file. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * From now on the lines of a logger are written to `logs/phlix.N.log` too. A folder or a disk that takes none is told once to the other
 * streams, and again after a time in which it took some; the process goes on.
 * @param streams those of `log`
 */
export async function addLogFile(
  streams: MultiStreamRes<string>,
  { config, log }: { config: Config; log: Logger },
): Promise<void> {
  const directory = join(config.dataDirectory, 'logs')
  const tell = (error: unknown): void =>
    log.warning({ path: directory, reason: describeError(error) }, 'lines cannot be written to the log file')
  try {
    const file = await openLogFile(directory)
    let isFailing = false
    file.on('error', (error) => {
      // The line that tells of it is written to the file too, and fails too.
      if (isFailing) return
      isFailing = true
      tell(error)
    })
    file.on('write', () => (isFailing = false))
    streams.add({ level: 'trace', stream: file })
  } catch (error) {
    tell(error)
  }
}

async function openLogFile(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Loaded only here: the package brings a large date library.
  const { default: roll } = await import('pino-roll')
  const file = await roll({
    file: join(directory, 'phlix'),
    extension: '.log',
    frequency: 'daily',
    size: '20m',
    // Lines are written immediately; with 0 there would be nothing to flush, whatever is under way.
    minLength: 1,
    maxLength: MAX_WAITING_BYTES,
    limit: { count: KEPT_LOG_FILES, removeOtherLogFiles: true },
  })
  try {
    await once(file, 'ready')
    return file
  } catch (error) {
    // Ends the timer of the next rotation, which would write to a file that was never opened.
    file.emit('close')
    throw error
  }
}
