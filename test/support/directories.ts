import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { untilNoProcessOf } from './processes.ts'

/**
 * An empty directory that goes with the test and that other accounts may pass through: under root the embedded engine runs as an
 * unprivileged account, which a directory made by `mkdtemp` (0700) would shut out.
 */
export function reachableDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'phlix-test-'))
  chmodSync(directory, 0o755)
  t.teardown(async () => {
    // An engine that is just stopping still writes into it.
    await untilNoProcessOf(directory)
    unlock(directory)
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return directory
}

/** Folders that a test closed to everyone are opened again; only root could remove them otherwise. */
function unlock(folder: string): void {
  if (process.geteuid?.() === 0) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) unlock(join(folder, entry.name))
  }
}
