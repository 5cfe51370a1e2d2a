import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { memoryParent } from './memory-directory.ts'
import { untilNoEngineOf } from './processes.ts'

/**
 * An empty directory that goes with the test and that other accounts may pass through: under root the embedded engine runs as an
 * unprivileged account, which a directory made by `mkdtemp` (0700) would shut out.
 */
export function reachableDirectory(t: Test): string {
  return temporaryDirectory(t, tmpdir())
}

/** The same for a data directory whose database is the test's own, in memory where there is enough of it. */
export function dataDirectoryInMemory(t: Test): string {
  return temporaryDirectory(t, memoryParent())
}

function temporaryDirectory(t: Test, parent: string): string {
  const directory = mkdtempSync(join(parent, 'phlix-test-'))
  chmodSync(directory, 0o755)
  t.teardown(async () => {
    // An engine that is just stopping still writes into it.
    await untilNoEngineOf(directory)
    // What a test closed to everyone only root could remove; chmod takes names that are not UTF-8 too.
    execFileSync('chmod', ['-R', 'u+rwX', directory])
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return directory
}
