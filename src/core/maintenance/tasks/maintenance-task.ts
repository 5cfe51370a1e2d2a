/** Tasks whose result is the answer. */
export const IMMEDIATE_TASKS = ['reap-scan-jobs', 'reap-transcode-jobs', 'cleanup-orphaned-stats'] as const

/** Tasks that run as a job of the server. */
export const QUEUED_TASKS = ['storage-snapshot', 'dedupe-paths'] as const

export type QueuedTask = (typeof QUEUED_TASKS)[number]

export type MaintenanceTask = {
  task: (typeof IMMEDIATE_TASKS)[number] | QueuedTask
  label: string
  description: string
  /** Whether it removes something that an administrator may miss. */
  isDestructive: boolean
}

/** All tasks, in the order in which they are shown. */
export const MAINTENANCE_TASKS: readonly MaintenanceTask[] = [
  {
    task: 'storage-snapshot',
    label: 'Measure the libraries',
    description: 'Stores the number of items and bytes of each library as of now. The server does it every hour.',
    isDestructive: false,
  },
  {
    task: 'reap-scan-jobs',
    label: 'Take up abandoned jobs of libraries',
    description: 'Queues jobs again whose process has died. The server does it every 15 seconds.',
    isDestructive: false,
  },
  {
    task: 'reap-transcode-jobs',
    label: 'Remove unused transcode jobs',
    description: 'Removes jobs that nobody has used for a week, their files, and those of encoders that have died.',
    isDestructive: false,
  },
  {
    task: 'cleanup-orphaned-stats',
    label: 'Correct the statistics',
    description: 'Counts the plays of each day again and removes words of the search that no item uses.',
    isDestructive: true,
  },
  {
    task: 'dedupe-paths',
    label: 'Count files in several libraries',
    description:
      'Counts files that several libraries list. Within one library a file is one item; nothing is removed, because each library has its own items.',
    isDestructive: false,
  },
]

export type MaintenanceJobStatus = 'queued' | 'running' | 'completed' | 'failed'

/** A run of a queued task. */
export type MaintenanceJob = {
  id: string
  task: QueuedTask
  status: MaintenanceJobStatus
  params: Readonly<Record<string, unknown>>
  result: Readonly<Record<string, unknown>> | null
  error: string | null
  /** UUID of the account; null if it was deleted. */
  requestedBy: string | null
  queuedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}
