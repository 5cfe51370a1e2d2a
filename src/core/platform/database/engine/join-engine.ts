import { setTimeout as pause } from 'node:timers/promises'
import { AppError, describeError } from '../../errors/index.ts'
import type { Logger } from '../../logging/index.ts'
import { databaseErrors } from '../errors.ts'
import { requireMajorVersion } from './cluster-version.ts'
import { engineConnectionUri, enginePaths, type EnginePaths } from './engine-paths.ts'
import { CURRENT_VERSION, type EngineVersion } from './engine-version.ts'
import { connectionPassword } from './require-password.ts'
import { acquireSupervisorLease, type SupervisorLease } from './supervisor-pipes.ts'
import { prepareCluster, type PreparedEngine } from './prepare-cluster.ts'
import { refuseDuringRestore } from './restore-journal.ts'
import { findRunningServer } from './server-process.ts'
import { startEngine } from './start-engine.ts'

export type EngineLease = {
  /** Connection URI with the password; it must not be logged. */
  connectionUri: string
  /** Releases the lease. The engine stops shortly after the last lease is released. Idempotent. */
  leave(): Promise<void>
}

export type JoinInput = {
  /** Absolute path. */
  dataDirectory: string
  log: Logger
  /** False trades durability for speed: for tests, and for a cluster that is removed or that `syncCluster` writes to the disk. */
  isDurable?: boolean
  /** Default: the version that this release contains. */
  version?: EngineVersion
  /** Called when only other processes have work to do: the server was started and is not ready yet. May be called several times. */
  onWaiting?: () => void
}

/** The backends of a killed server may hold its lock for a while. Other causes (a full disk) may take longer to disappear. */
const JOIN_LIMIT_MILLISECONDS = 75_000
const FALLBACK_WAIT_MILLISECONDS = 2000
/** After this time a server without a supervisor is stopped with SIGQUIT. */
const FAST_STOP_MILLISECONDS = 10_000
const POLL_MILLISECONDS = 20
const FIRST_PAUSE_MILLISECONDS = 50
const MAX_PAUSE_MILLISECONDS = 2000
const REJOIN_PAUSE_MILLISECONDS = 250

/**
 * Joins the embedded PostgreSQL of the data directory and starts it if it is not running. Any number of processes may call it concurrently;
 * the engine runs until the last of them leaves or dies. If the lease ends because the supervisor or the server was killed, it is acquired
 * again automatically.
 * @throws AppError `engine_failed`, `engine_misplaced`, `engine_version`
 */
export async function joinEngine(input: JoinInput): Promise<EngineLease> {
  const paths = enginePaths(input.dataDirectory)
  // Before a running server is joined: while an older cluster is upgraded, the server of its version runs.
  requireMajorVersion(paths.cluster, (input.version ?? CURRENT_VERSION).major)
  let hasLeft = false
  let lease: SupervisorLease
  const setLease = (taken: SupervisorLease): void => {
    lease = taken
    void taken.lost.then(rejoin)
  }
  const rejoin = async (): Promise<void> => {
    lease.release()
    input.log.warning('the embedded database or its supervisor ended; joining it again')
    while (!hasLeft) {
      try {
        const taken = await joinWithFallback(paths, input)
        if (hasLeft) taken.release()
        else setLease(taken)
        return
      } catch (error) {
        input.log.error({ reason: describeError(error) }, 'the embedded database cannot be started again')
        await pause(REJOIN_PAUSE_MILLISECONDS)
      }
    }
  }
  const first = await joinWithFallback(paths, input)
  const connectionUri = engineConnectionUri(paths, passwordOrRelease(paths, first))
  setLease(first)
  return {
    connectionUri,
    async leave() {
      hasLeft = true
      lease.release()
    },
  }
}

/** Whether a server of the data directory runs. A server whose supervisor has died is sent a signal to stop. */
export function isEngineRunning(dataDirectory: string): boolean {
  return findRunningServer(enginePaths(dataDirectory), 'SIGINT') !== 'none'
}

function passwordOrRelease(paths: EnginePaths, lease: SupervisorLease): string {
  try {
    return connectionPassword(paths)
  } catch (error) {
    lease.release()
    throw error
  }
}

async function joinWithFallback(paths: EnginePaths, input: JoinInput): Promise<SupervisorLease> {
  try {
    return await joinOrStart(paths, input)
  } catch (error) {
    // The start may have failed because another process has just started the engine.
    const lease = await waitForLease(paths, FALLBACK_WAIT_MILLISECONDS)
    if (lease !== undefined) return lease
    if (error instanceof AppError) throw error
    throw databaseErrors.engine_failed({ message: describeError(error), cause: error })
  }
}

async function joinOrStart(paths: EnginePaths, input: JoinInput): Promise<SupervisorLease> {
  const { log, isDurable = true, version = CURRENT_VERSION, onWaiting } = input
  let prepared: PreparedEngine | undefined
  const hardStopAt = performance.now() + FAST_STOP_MILLISECONDS
  let deadline = performance.now() + JOIN_LIMIT_MILLISECONDS
  let nextTry = 0
  let wait = FIRST_PAUSE_MILLISECONDS
  while (performance.now() < deadline) {
    const lease = acquireSupervisorLease(paths)
    if (lease !== undefined) return lease
    const signal = performance.now() < hardStopAt ? 'SIGINT' : 'SIGQUIT'
    if (performance.now() < nextTry || findRunningServer(paths, signal) !== 'none') {
      onWaiting?.()
      await pause(POLL_MILLISECONDS)
    } else if (prepared === undefined) {
      prepared = await prepareCluster(paths, version, () => findRunningServer(paths, 'SIGINT') !== 'none')
      // A first start on a slow disk takes long, and another process may have started the server in the meantime.
      deadline = performance.now() + JOIN_LIMIT_MILLISECONDS
    } else {
      // The restore may have begun while this process prepared the cluster or waited.
      refuseDuringRestore(paths.dataDirectory)
      const started = await startEngine({ paths, prepared, isDurable, log, onWaiting })
      if (started !== undefined) return started
      nextTry = performance.now() + wait
      wait = Math.min(wait * 1.5, MAX_PAUSE_MILLISECONDS)
    }
  }
  throw databaseErrors.engine_failed({ message: `the server does not start; see ${paths.serverLog} for the reason` })
}

async function waitForLease(paths: EnginePaths, limitMilliseconds: number): Promise<SupervisorLease | undefined> {
  for (const deadline = performance.now() + limitMilliseconds; performance.now() < deadline;) {
    const lease = acquireSupervisorLease(paths)
    if (lease !== undefined) return lease
    await pause(POLL_MILLISECONDS)
  }
  return undefined
}
