import { constants, open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describeError, systemErrorCode } from '../../platform/errors/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { ARCHIVE_LIMITS } from '../archive/archive-limits.ts'
import { pluginErrors } from '../errors.ts'

/** Where the archive of a plugin comes from. */
export type PluginSource = { kind: 'https'; url: string } | { kind: 'file'; path: string }

const MAX_REDIRECTS = 3
const DOWNLOAD_MILLISECONDS = 120_000
const MAX_SIGNATURE_BYTES = 4096

/**
 * Parses the text of a source: an https address, a file address, or a path.
 * @throws AppError `plugin.url.invalid_scheme`
 */
export function parsePluginSource(text: string): PluginSource {
  if (text === '' || text.startsWith('-') || /\p{Cc}/u.test(text)) throw invalidSourceError(text)
  if (text.startsWith('file:')) {
    try {
      return { kind: 'file', path: fileURLToPath(text) }
    } catch (error) {
      throw invalidSourceError(text, error)
    }
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(text)?.[1]
  if (scheme === undefined) return { kind: 'file', path: text }
  if (scheme.toLowerCase() !== 'https' || !URL.canParse(text)) throw invalidSourceError(text)
  return { kind: 'https', url: text }
}

/** The source as text for the row, without a query, which may hold a token. */
export function withoutQuery(source: PluginSource): string {
  if (source.kind === 'file') return source.path
  const url = new URL(source.url)
  url.search = ''
  url.username = ''
  url.password = ''
  return url.href
}

export type ReadLimits = { maximumBytes: number; timeoutMilliseconds: number }

const ARCHIVE: ReadLimits = {
  maximumBytes: ARCHIVE_LIMITS.archiveBytes,
  timeoutMilliseconds: DOWNLOAD_MILLISECONDS,
}

/**
 * Reads the file of a source, or with the suffix `.sig` the signature beside it.
 * @param input.limits default: those of an archive
 * @throws AppError `plugin.install.failed`, `outbound_…`
 */
export async function readPluginSourceBytes(
  { outbound }: { outbound: Outbound },
  source: PluginSource,
  {
    suffix = '',
    limits = ARCHIVE,
    signal,
  }: { suffix?: '' | '.sig'; limits?: ReadLimits; signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array> {
  const maximumBytes = suffix === '' ? limits.maximumBytes : MAX_SIGNATURE_BYTES
  if (source.kind === 'file') return readWholeFile(`${source.path}${suffix}`, maximumBytes)
  const url = new URL(source.url)
  url.pathname += suffix
  const { status, body } = await outbound.send(
    {
      purpose: 'plugin-source',
      url: url.href,
      trust: 'public',
      timeoutMilliseconds: limits.timeoutMilliseconds,
      maximumBytes,
      redirects: MAX_REDIRECTS,
    },
    signal,
  )
  if (status !== 200) throw failure(`${url.host} answered with status ${status}`)
  return body
}

async function readWholeFile(path: string, maximumBytes: number): Promise<Uint8Array> {
  try {
    // Opening a FIFO would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const { size, isFile } = await file.stat().then((facts) => ({ size: facts.size, isFile: facts.isFile() }))
    if (!isFile) throw failure(`${path} is not a file`, { hint: 'pack a folder: tar -czf plugin.tgz -C FOLDER .' })
    if (size > maximumBytes) throw failure(`${path} is larger than ${maximumBytes} bytes`)
    return await file.readFile()
  } catch (error) {
    if (error instanceof Error && 'kind' in error) throw error
    throw unreadable(path, error)
  }
}

function invalidSourceError(text: string, cause?: unknown): Error {
  const message = `${JSON.stringify(text.slice(0, 200))} is neither an https nor a file address.`
  return pluginErrors.plugin_source_invalid({ message, cause })
}

/** Why a file cannot be opened or read. */
function unreadable(path: string, cause: unknown): Error {
  const code = systemErrorCode(cause)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const hint = path.endsWith('.sig')
      ? 'the signature that --key checks is in a file beside the archive'
      : 'give the path of an archive, or a name with --catalog'
    return failure(`There is no file ${path}`, { hint, cause })
  }
  if (code === 'EACCES') return failure(`This account may not read ${path}`, { cause })
  return failure(`${path} cannot be read: ${describeError(cause)}`, { cause })
}

function failure(message: string, more: { hint?: string; cause?: unknown } = {}): Error {
  return pluginErrors.plugin_install_failed({ message, ...more })
}
