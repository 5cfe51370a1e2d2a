import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/**
 * An empty directory that goes with the test and that other accounts may pass through: under root the embedded engine runs as an
 * unprivileged account, which a directory made by `mkdtemp` (0700) would shut out.
 */
export function reachableDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'phlix-test-'))
  chmodSync(directory, 0o755)
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
