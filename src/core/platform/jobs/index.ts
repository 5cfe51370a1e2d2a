export { createJobQueue, type JobHandler, type JobName, type JobQueue } from './queue.ts'
