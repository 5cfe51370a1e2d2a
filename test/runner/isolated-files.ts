/** Test files that need a process of their own, with the reason. All others share the processes of the runner. */
export const ISOLATED_FILES: ReadonlyMap<string, string> = new Map([
  ['test/faults/changing-files.test.ts', 'it changes the account of the process'],
  ['test/faults/slow-senders.test.ts', 'it counts the descriptors of the process'],
])
