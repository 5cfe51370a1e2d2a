import type { Scan } from './scan.ts'

/** One run of one job of any type: what all of them share. A scan adds how its library type is read. */
export type JobRun = Omit<Scan, 'kind'>

/** Undefined when all went well; the sentence that the job ends `failed` with; or what it says although it completes. */
export type JobEnd = string | { remark: string } | undefined

export type JobPhases = (run: JobRun) => Promise<JobEnd>
