import type { RootIdentity } from '../../libraries/index.ts'

/** The current state of a library folder. */
export type GuardedRoot =
  | { path: string; isAvailable: true; identity: RootIdentity; isEmpty: boolean }
  | { path: string; isAvailable: false; reason: string }
