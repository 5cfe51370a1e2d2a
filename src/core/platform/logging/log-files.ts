import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/index.ts'
import { systemErrorCode } from '../errors/index.ts'
import { loggingErrors } from './errors.ts'
import type { RecentLines } from './recent-lines.ts'
import { redactText } from './redaction.ts'
import { tailFile, type FileTail } from './tail-file.ts'

/** The name of the log in memory. No file of `logs/` has this name, because their names contain the day. */
const RECENT = 'phlix.log'

const FILE_NAME = /^[\w-][\w.-]{0,99}\.log$/

/** The number of files that are merged, newest first. */
const MAX_MERGED = 6

/** Longer lines are truncated. */
const MAX_LINE_CHARACTERS = 8192

export type LogFile = { name: string; sizeBytes: number; modifiedAt: Date }

type Dependencies = { config: Pick<Config, 'dataDirectory' | 'options'>; recentLines: RecentLines }

/**
 * Lists the logs of this server, last modified first: the files of `logs/`, and the lines in memory as `phlix.log` while file logging is
 * disabled.
 */
export async function listLogFiles(needs: Dependencies): Promise<LogFile[]> {
  const files = await filesIn(directoryOf(needs))
  if (isKeptInMemory(needs)) {
    const { recentLines } = needs
    files.push({ name: RECENT, sizeBytes: recentLines.characters(), modifiedAt: recentLines.lastWrittenAt() })
  }
  return files.toSorted((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime() || (a.name < b.name ? -1 : 1))
}

/**
 * Reads the last lines of one log, with secrets redacted.
 * @param input.name as returned by `listLogFiles`
 * @throws AppError `log_not_found`
 */
export async function tailLogFile(
  needs: Dependencies,
  { name, maxLines }: { name: string; maxLines: number },
): Promise<FileTail> {
  if (!(await listLogFiles(needs)).some((file) => file.name === name)) throw loggingErrors.log_not_found()
  const { lines, isTruncated } = await tailOf(needs, name, maxLines)
  return { lines: lines.map(cleanLine), isTruncated }
}

/** Reads the last lines of all logs, merged by time, each prefixed with the name of its file. */
export async function tailLogFiles(needs: Dependencies, maxLines: number): Promise<FileTail & { files: string[] }> {
  const all = await listLogFiles(needs)
  const files = all.slice(0, MAX_MERGED).map(({ name }) => name)
  const tails = await Promise.all(files.map(async (name) => ({ name, ...(await tailOf(needs, name, maxLines)) })))
  const dated = tails.flatMap(({ name, lines }) => withTimes(name, lines))
  // The sort is stable, so that the lines of a file keep their order.
  const merged = dated.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  const isTruncated = merged.length > maxLines || all.length > files.length || tails.some((tail) => tail.isTruncated)
  const lines = merged.slice(-maxLines).map(({ name, text }) => `[${name}] ${cleanLine(text)}`)
  return { files, lines, isTruncated }
}

function directoryOf({ config }: Dependencies): string {
  return join(config.dataDirectory, 'logs')
}

function isKeptInMemory({ config }: Dependencies): boolean {
  return !config.options['logging.to_file']
}

async function filesIn(directory: string): Promise<LogFile[]> {
  const files: LogFile[] = []
  for (const name of await namesIn(directory)) {
    if (!FILE_NAME.test(name) || name === RECENT) continue
    try {
      const { size, mtime, isFile } = await statEntry(join(directory, name))
      if (isFile) files.push({ name, sizeBytes: size, modifiedAt: mtime })
    } catch {
      // A rotation removed the file.
    }
  }
  return files
}

async function statEntry(path: string): Promise<{ size: number; mtime: Date; isFile: boolean }> {
  const entry = await lstat(path)
  return { size: entry.size, mtime: entry.mtime, isFile: entry.isFile() }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    // The folder is missing without file logging and with an external database.
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function tailOf(needs: Dependencies, name: string, maxLines: number): Promise<FileTail> {
  if (name === RECENT) {
    const lines = needs.recentLines.lines()
    return { lines: lines.slice(-maxLines), isTruncated: lines.length > maxLines }
  }
  try {
    return await tailFile(join(directoryOf(needs), name), maxLines)
  } catch (error) {
    // A rotation removed the file, or it was replaced by a link.
    throw loggingErrors.log_not_found({ cause: error })
  }
}

/** Returns each line with its time as ISO text. A line without a time gets the time of the previous line. */
function withTimes(name: string, lines: readonly string[]): { name: string; text: string; time: string }[] {
  let time = ''
  return lines.map((text) => {
    time = timeOf(text) ?? time
    return { name, text, time }
  })
}

/** Lines of this product are JSON with `time`; lines of the database start with a time in UTC. */
function timeOf(line: string): string | undefined {
  const ours = /"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z"/.exec(line.slice(0, 200))?.[1]
  if (ours !== undefined) return ours
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC/.exec(line) ?? []
  return day === undefined ? undefined : `${day}T${time}`
}

function cleanLine(line: string): string {
  const isLong = line.length > MAX_LINE_CHARACTERS
  return redactText(isLong ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line)
}
