import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { minimalEnvironment } from './command-host.ts'
import { keepRelease } from './release.ts'

const { scanWorker, cacheHome } = await keepRelease()

/**
 * Starts scan-worker.ts, as part of the release, with its words: the id of a job, and optionally `store-each-file`. It is killed at the end
 * of the test. Its standard output is a pipe.
 * @param environment added to an environment that inherits nothing but PATH; names the database
 */
export function startScanProcess(
  t: Test,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const child = spawn(process.execPath, [scanWorker, ...words], {
    env: minimalEnvironment({ NODE_COMPILE_CACHE: join(cacheHome, 'phlix', 'compile'), ...environment }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}
