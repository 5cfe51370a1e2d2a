import type { CoreServices } from '../../core/core-services.ts'

type Queueing = Pick<CoreServices, 'db' | 'clock' | 'config' | 'diskThreads'> & Partial<Pick<CoreServices, 'jobs'>>

/**
 * The services with which a command queues jobs. Without a server only the row of a job is written: the command then runs the job itself,
 * or leaves it to the next server that starts.
 */
export async function queueingServices(
  services: CoreServices,
): Promise<{ isServerRunning: boolean; queueing: Queueing }> {
  const { isDaemonRunning } = await import('../../core/daemon-lock.ts')
  const { db, clock, config, diskThreads, jobs } = services
  const isServerRunning = await isDaemonRunning(services)
  return { isServerRunning, queueing: { db, clock, config, diskThreads, ...(isServerRunning && { jobs }) } }
}
