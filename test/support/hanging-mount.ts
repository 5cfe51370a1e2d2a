import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Test } from 'tap'
import { reachableDirectory } from './directories.ts'

/** A mount whose file system never responds: a FUSE device that no process reads. Undefined for accounts that may not mount. */
export function mountThatHangs(t: Test): string | undefined {
  const folder = reachableDirectory(t)
  const device = openDevice()
  if (device === undefined) return undefined
  t.teardown(() => closeSync(device))
  const options = `fd=3,rootmode=40000,user_id=${process.getuid?.() ?? 0},group_id=${process.getgid?.() ?? 0}`
  const { status } = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'phlix-test', folder], {
    stdio: ['ignore', 'ignore', 'ignore', device],
  })
  if (status !== 0) return undefined
  t.teardown(() => void spawnSync('umount', ['-l', folder]))
  return folder
}

function openDevice(): number | undefined {
  try {
    return openSync('/dev/fuse', 'r+')
  } catch {
    return undefined
  }
}
