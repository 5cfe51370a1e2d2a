import type { Services } from '../../core/services.ts'

type Queueing = Pick<Services, 'db' | 'clock' | 'config'> & Partial<Pick<Services, 'jobs'>>

/**
 * The services with which a command queues jobs. Without a server only the row of a job is written. This command runs the job itself, or
 * the next server takes it when it starts.
 */
export async function queueingServices(services: Services): Promise<{ isServerRunning: boolean; queueing: Queueing }> {
  const { isDaemonRunning } = await import('../../core/workers.ts')
  const { db, clock, config, jobs } = services
  const isServerRunning = await isDaemonRunning(services)
  return { isServerRunning, queueing: { db, clock, config, ...(isServerRunning && { jobs }) } }
}
