import { replaceErrorDomains } from './error-domains.ts'

/** The entry of a worker process. The test framework must not be loaded before its error domains are replaced. */

replaceErrorDomains()
await import('./run-worker.ts')
