import { gzip } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { dumpConfig, releaseVersion } from '../platform/config/index.ts'
import { createRecentLines, tailLogFiles } from '../platform/logging/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'
import type { DoctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'
import { redactPathsInData, redactPathsInText } from './redact-paths.ts'

const LOG_LINES = 1000

export type BundleInput = {
  findings: readonly Finding[]
  /** The folders of the libraries; undefined if they are not known. */
  folders: readonly string[] | undefined
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
  const paths = { dataDirectory: config.dataDirectory, folders: input.folders }
  const data = (value: unknown): unknown => (input.withPaths ? value : redactPathsInData(value, paths))
  const text = <Value>(value: Value): Value | string =>
    input.withPaths || typeof value !== 'string' ? value : redactPathsInText(value, paths)
  const document = {
    time: toIsoTimestamp(clock.now()),
    version: releaseVersion(),
    node: nodeVersion,
    platform: `${process.platform}-${process.arch}`,
    checks: data(input.findings),
    // The path of an option is its name.
    options: dumpConfig(config)
      .filter(({ origin }) => origin !== 'default')
      .map(({ path: name, value, origin, secret }) => ({
        path: name,
        value: text(value),
        origin: text(origin),
        secret,
      })),
    log: { files, lines: data(lines) },
  }
  const bytes = await promisify(gzip)(JSON.stringify(document, null, 2))
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  return bytes.length
}
