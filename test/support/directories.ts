import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { memoryParent } from './memory-directory.ts'
import { untilNoEngineOf } from './processes.ts'

/**
 * An empty directory that is removed at the end of the test and that other accounts can traverse: under root the embedded engine runs as an
 * unprivileged account, which a directory made by `mkdtemp` (0700) would exclude.
 */
export function reachableDirectory(t: Test): string {
  return temporaryDirectory(t, tmpdir())
}

/** The same for a data directory with a separate database, in memory if there is enough. */
export function dataDirectoryInMemory(t: Test): string {
  return temporaryDirectory(t, memoryParent())
}

function temporaryDirectory(t: Test, parent: string): string {
  const directory = mkdtempSync(join(parent, 'phlix-test-'))
  chmodSync(directory, 0o755)
  t.teardown(async () => {
    // A stopping engine still writes into it. Looking through all processes costs more than most directories.
    if (mayHoldEngine(directory)) await untilNoEngineOf(directory)
    try {
      remove(directory)
    } catch {
      // Restores permissions that a test has removed, so that other accounts than root can delete the files; chmod also accepts names that
      // are not UTF-8.
      execFileSync('chmod', ['-R', 'u+rwX', directory])
      remove(directory)
    }
  })
  return directory
}

/** Whether the directory, or a folder in it, has files of a cluster. */
function mayHoldEngine(directory: string): boolean {
  return globSync(['postgres*', '*/postgres*'], { cwd: directory }).length > 0
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
