import { statfs } from 'node:fs/promises'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'
import { findNearestFolder } from '../nearest-folder.ts'

const MEBIBYTE = 1024 * 1024

/** Free space below this multiple of the configured minimum causes a warning, before segments are refused. */
const WARNING_FACTOR = 2

const LEAST_FREE_FILES = 1000

/** Removing the least recently used segments is always safe: they are encoded again on request. */
const SWEEP = 'cache:sweep'

export const diskCheck: DoctorCheck = {
  id: 'disk',
  async run(context) {
    const { bavail, bsize } = await space(context)
    const [free, floor] = [bavail * bsize, context.config.options['hls.min_disk_space_bytes']]
    const text = `${mebibytes(free)} MiB are free; hls.min_disk_space_bytes is ${mebibytes(floor)} MiB`
    if (free < floor) return [errorResult(`${text}: segments are refused`, context.phlix(SWEEP))]
    return free < floor * WARNING_FACTOR ? [warningResult(text, context.phlix(SWEEP))] : okResult(text)
  },
}

export const inodesCheck: DoctorCheck = {
  id: 'inodes',
  async run(context) {
    const { files, ffree } = await space(context)
    // Some file systems have no limit and report 0.
    if (files === 0) return okResult('no limit')
    const text = `${ffree} of ${files} files can still be created`
    return ffree < LEAST_FREE_FILES ? [warningResult(text, context.phlix(SWEEP))] : okResult(text)
  },
}

function space({ config }: DoctorContext) {
  return statfs(findNearestFolder(config.dataDirectory))
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / MEBIBYTE)
}
