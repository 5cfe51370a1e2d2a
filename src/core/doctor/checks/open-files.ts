import { readFile } from 'node:fs/promises'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'

/** A server with 64 clients of original files needs about this many. */
const LEAST = 1024

export const openFilesCheck: DoctorCheck = {
  id: 'open-files',
  async run() {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
    const limit = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1]
    if (limit === undefined || limit === 'unlimited') return okResult('no limit is known')
    return Number(limit) < LEAST
      ? [warningResult(`only ${limit} files may be open at a time`, `ulimit -n ${LEAST * 4}`)]
      : okResult(`${limit} files may be open at a time`)
  },
}
