import { checkMigrations } from '../../../core/platform/database/index.ts'
import { AppError, describeError } from '../../../core/platform/errors/index.ts'
import { freeSpaceBytes } from '../../../core/platform/files/index.ts'
import type { Services } from '../../../core/services.ts'
import type { Lifecycle } from '../../http/app-types.ts'

/** Anyone can request the route, so the results of one check answer all requests of this period. */
const CACHE_MILLISECONDS = 1000

/** Segment size of PostgreSQL's write-ahead log (wal_segment_size). With less free space the embedded database cannot start. */
const WAL_SEGMENT_BYTES = 16 * 1024 * 1024

export type Readiness = {
  /** The reasons why the daemon cannot answer requests, without internal details; empty when it is ready. */
  problems(): Promise<string[]>
}

/** Checks that the daemon can answer requests: it is not stopping, database reachable, schema current, enough free disk space. */
export function createReadiness(services: Services, lifecycle: Lifecycle): Readiness {
  const { clock } = services
  const disk = createDiskReport(services)
  let cached: { at: number; answer: Promise<string[]> } | undefined

  return {
    async problems() {
      if (lifecycle.isStopping) return ['the daemon is stopping']
      const now = clock.monotonicMilliseconds()
      if (cached === undefined || now - cached.at > CACHE_MILLISECONDS)
        cached = { at: now, answer: checkAll(services, disk) }
      return cached.answer
    },
  }
}

async function checkAll(services: Services, disk: DiskReport): Promise<string[]> {
  const problems = await Promise.all([checkDatabase(services), checkDisk(services, disk)])
  return problems.flat()
}

/** The problem with the free disk space; undefined if there is enough. */
type DiskProblem = 'the disk is full' | 'free disk space is below the configured minimum'

/** Logs that the disk is below the minimum, that it is full, or that there is enough space again. */
type DiskReport = (fault: DiskProblem | undefined, freeBytes: number) => void

/** Logs only changes, because health checks are requested every few seconds. */
function createDiskReport({ log, config }: Services): DiskReport {
  let last: DiskProblem | undefined
  return (fault, freeBytes) => {
    if (fault === last) return
    last = fault
    const facts = {
      dataDirectory: config.dataDirectory,
      freeBytes,
      floorBytes: config.options['hls.min_disk_space_bytes'],
    }
    if (fault === undefined) log.notice(facts, 'the disk has enough free space again')
    else log.warning(facts, fault)
  }
}

async function checkDatabase({ connectionUri, log }: Services): Promise<string[]> {
  try {
    const { pending } = await checkMigrations({ connectionUri, log })
    return pending.length === 0 ? [] : ['the database schema is older than the program']
  } catch (error) {
    log.warning({ reason: describeError(error) }, 'the database is not ready')
    const isIncompatible = error instanceof AppError && error.kind === 'misconfigured'
    return [
      isIncompatible ? 'the database schema is not compatible with this version' : 'the database is not reachable',
    ]
  }
}

async function checkDisk({ config, log }: Services, report: DiskReport): Promise<string[]> {
  try {
    const freeBytes = await freeSpaceBytes(config.dataDirectory)
    const fault = diskProblem(config, freeBytes)
    report(fault, freeBytes)
    return fault === undefined ? [] : [fault]
  } catch (error) {
    log.warning({ reason: describeError(error) }, 'the data directory cannot be checked')
    return ['the data directory is not reachable']
  }
}

/** The embedded database is on this disk and needs space regardless of the configured minimum. */
function diskProblem({ options }: Services['config'], freeBytes: number): DiskProblem | undefined {
  const isEmbedded = options['database.host'] === undefined
  const isBelow = freeBytes < options['hls.min_disk_space_bytes']
  if (freeBytes < WAL_SEGMENT_BYTES && (isEmbedded || isBelow)) return 'the disk is full'
  return isBelow ? 'free disk space is below the configured minimum' : undefined
}
