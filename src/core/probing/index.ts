export { probeFile } from './probe-file.ts'
export { type ProbedFile, type ProbedStream, type SourceProfile } from './probed-file.ts'
