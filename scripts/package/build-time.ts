import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Time and identity of the sources that are packaged. Equal sources give equal packages, regardless of when and where they are built. */
export type SourceStamp = {
  /** Seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). */
  epochSeconds: number
  commit: string
}

/**
 * Reads SOURCE_DATE_EPOCH, else the time of the newest commit; without git the time of package.json, which `git archive` sets to that of the
 * commit.
 * @throws Error if SOURCE_DATE_EPOCH is not a number
 */
export function readSourceStamp(root: string, given = process.env['SOURCE_DATE_EPOCH']): SourceStamp {
  if (given !== undefined && !/^\d{1,12}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH must be a number of seconds')
  const written = Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000)
  const stamp = lastCommit(root) ?? { epochSeconds: written, commit: 'unknown' }
  return given === undefined ? stamp : { ...stamp, epochSeconds: Number(given) }
}

function lastCommit(root: string): SourceStamp | undefined {
  try {
    const text = execFileSync('git', ['-C', root, 'log', '-1', '--format=%ct %H'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [seconds = '', commit = ''] = text.trim().split(' ')
    return { epochSeconds: Number(seconds), commit }
  } catch {
    return undefined
  }
}

/** A UUID (version 5 form, RFC 9562) that depends only on this text. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha1').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
