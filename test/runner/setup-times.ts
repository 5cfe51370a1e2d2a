/** What a test file spends on parts that it needs but does not test. The runner reads and prints it. */
export type SetupKind = 'process' | 'modules' | 'database' | 'daemon' | 'command' | 'media'

export type SetupTimes = Partial<Record<SetupKind, number>>

// One per process on purpose: support code records, the worker that runs the files one after the other reads.
let recorded: SetupTimes = {}

/** Adds to what the running test file has spent on one kind of set-up. */
export function recordSetup(kind: SetupKind, milliseconds: number): void {
  recorded[kind] = (recorded[kind] ?? 0) + milliseconds
}

/** Does the work and records its time. */
export async function timeSetup<T>(kind: SetupKind, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    recordSetup(kind, performance.now() - startedAt)
  }
}

/** Answers what was recorded since the last call, in milliseconds, and starts from zero. */
export function takeSetupTimes(): SetupTimes {
  const times = recorded
  recorded = {}
  return times
}
