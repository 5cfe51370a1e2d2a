import { gzip } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { dumpConfig, releaseVersion } from '../platform/config/index.ts'
import { createRecentLines, tailLogFiles } from '../platform/logging/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'
import type { DoctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'
import { redactPaths } from './redact-paths.ts'

const LOG_LINES = 1000

export type BundleInput = {
  findings: readonly Finding[]
  /** The folders of the libraries, as far as they are known. */
  folders: readonly string[]
  /** Keeps the paths of media and the names and addresses of people. */
  withPaths: boolean
}

/**
 * Writes what a bug report needs to a new file of mode 0600: versions, options with masked secrets, findings and the newest log lines, as
 * one JSON document that is compressed with gzip.
 * @returns its size in bytes
 * @throws the system error of open(2), for example EEXIST
 */
export async function writeSupportBundle(context: DoctorContext, path: string, input: BundleInput): Promise<number> {
  const { config, clock, nodeVersion } = context
  const { files, lines } = await tailLogFiles({ config, recentLines: createRecentLines(clock) }, LOG_LINES)
  const document = {
    time: toIsoTimestamp(clock.now()),
    version: releaseVersion(),
    node: nodeVersion,
    platform: `${process.platform}-${process.arch}`,
    checks: input.findings,
    options: dumpConfig(config).filter(({ origin }) => origin !== 'default'),
    log: { files, lines },
  }
  const text = JSON.stringify(document, null, 2)
  const redacted = input.withPaths ? text : redactPaths(text, input.folders)
  const bytes = await promisify(gzip)(redacted)
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  return bytes.length
}
