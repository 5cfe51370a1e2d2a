import type { ScanState } from './scan-state.ts'

/** One run of a job of any type. A scan adds the media kind of its library. */
export type JobRun = Omit<ScanState, 'kind'>

/** Undefined on success; a string is the reason of a failed job; `remark` is a note of a completed job. */
export type JobRunResult = string | { remark: string } | undefined

export type JobRunner = (run: JobRun) => Promise<JobRunResult>
