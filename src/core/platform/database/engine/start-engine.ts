import { setTimeout as pause } from 'node:timers/promises'
import { rmSync } from 'node:fs'
import type { Logger } from '../../logging/index.ts'
import type { EnginePaths } from './engine-paths.ts'
import {
  createFirstSupervisorLease,
  createSupervisorPipes,
  type FirstSupervisorLease,
  type SupervisorLease,
} from './supervisor-pipes.ts'
import type { PreparedEngine } from './prepare-cluster.ts'
import { isServerReady, startSupervisor } from './server-process.ts'

export type EngineStart = {
  paths: EnginePaths
  prepared: PreparedEngine
  isDurable: boolean
  log: Logger
  /** Called when the processes of the engine have been started. */
  onWaiting: (() => void) | undefined
}

const POLL_MILLISECONDS = 15
const REMINDER_MILLISECONDS = 75_000

/**
 * Tries once to start the engine and waits until its server has started: recovery after a crash may take minutes. Several processes may try
 * concurrently; PostgreSQL's own lock lets one server start.
 * @returns the first lease; undefined when the server did not start or was killed
 * @throws AppError `engine_failed`, or an error of the file system
 */
export async function startEngine({
  paths,
  prepared,
  isDurable,
  log,
  onWaiting,
}: EngineStart): Promise<SupervisorLease | undefined> {
  const folder = await createSupervisorPipes(paths, prepared.account)
  let lease: FirstSupervisorLease | undefined
  let isPublished = false
  try {
    lease = createFirstSupervisorLease(folder)
    const supervisor = startSupervisor({ paths, prepared, isDurable, folder })
    onWaiting?.()
    isPublished = await publishWhenReady({ paths, supervisor, lease, log })
    return isPublished ? lease : undefined
  } finally {
    if (!isPublished) {
      lease?.release()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

type Starting = {
  paths: EnginePaths
  supervisor: ReturnType<typeof startSupervisor>
  lease: FirstSupervisorLease
  log: Logger
}

/** @returns false when the supervisor or its server has ended */
async function publishWhenReady({ paths, supervisor, lease, log }: Starting): Promise<boolean> {
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  void supervisor.ended.then(end)
  void lease.lost.then(end)
  let reminder = performance.now() + REMINDER_MILLISECONDS
  while (!hasEnded) {
    if (isServerReady(paths, supervisor) && lease.publish(paths)) return true
    if (performance.now() > reminder) {
      log.warning({ file: paths.serverLog }, 'the embedded database is still starting')
      reminder += REMINDER_MILLISECONDS
    }
    await pause(POLL_MILLISECONDS)
  }
  return false
}
