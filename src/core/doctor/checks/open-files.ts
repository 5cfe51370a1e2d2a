import { readFile } from 'node:fs/promises'
import type { Check } from '../doctor-context.ts'
import { ok, warning } from '../finding.ts'

/** A server with 64 clients of original files needs about this many. */
const LEAST = 1024

export const openFilesCheck: Check = {
  id: 'open-files',
  async run() {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
    const found = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1]
    if (found === undefined || found === 'unlimited') return ok('no limit is known')
    return Number(found) < LEAST
      ? [warning(`only ${found} files may be open at a time`, `ulimit -n ${LEAST * 4}`)]
      : ok(`${found} files may be open at a time`)
  },
}
