import type { Scan } from './scan.ts'

/** One run of a job of any type. A scan adds the media kind of its library. */
export type JobRun = Omit<Scan, 'kind'>

/** Undefined on success; a string is the reason of a failed job; `remark` is a note of a completed job. */
export type JobEnd = string | { remark: string } | undefined

export type JobRunner = (run: JobRun) => Promise<JobEnd>
