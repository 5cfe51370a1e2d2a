const MEMORY = 'it compares the memory of the process before and after'
const DESCRIPTORS = 'it counts the descriptors of the process'
const ACCOUNT = 'it changes the account of the process'
const COUNTERS = 'it reads counters that all requests of the process share'

/** Test files that need a process of their own, with the reason. All others share the processes of the runner. */
export const ISOLATED_FILES: ReadonlyMap<string, string> = new Map([
  ['test/core/libraries/create-library.test.ts', ACCOUNT],
  ['test/core/platform/files/byte-source.test.ts', DESCRIPTORS],
  ['test/core/platform/files/open-inside-root.test.ts', DESCRIPTORS],
  ['test/core/platform/files/walk-tree.test.ts', ACCOUNT],
  ['test/core/platform/images/images.test.ts', MEMORY],
  ['test/core/platform/priorities/lower-autogroup.test.ts', 'it compares priorities with that of the process'],
  ['test/core/platform/spawn/run-tool.test.ts', MEMORY],
  ['test/core/platform/threads/background-throttle.test.ts', COUNTERS],
  ['test/core/probing/tags/read-audio-tags.test.ts', MEMORY],
  ['test/core/scanning/run/run-scan-phases.test.ts', ACCOUNT],
  ['test/daemon/hooks/background-throttle.test.ts', COUNTERS],
  ['test/daemon/routes/artwork/provider-artwork.test.ts', MEMORY],
  ['test/daemon/routes/key-set/key-set.routes.test.ts', ACCOUNT],
  ['test/faults/changing-files.test.ts', ACCOUNT],
  ['test/faults/slow-senders.test.ts', DESCRIPTORS],
])
