import type { Scan } from './scan.ts'

/** One run of one job of any type: what all of them share. A scan adds how its library type is read. */
export type JobRun = Omit<Scan, 'kind'>

/** @returns undefined when all went well, or the sentence that the job ends `failed` with */
export type JobPhases = (run: JobRun) => Promise<string | undefined>
