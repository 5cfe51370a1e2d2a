import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const THREADS = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** Keeps some objects, allocates many that survive a while, and prints how often the whole heap was collected. */
const SCRIPT = `
import { GCProfiler } from 'node:v8'
import { createBackgroundThrottle } from ${JSON.stringify(THREADS)}
const { beginMemoryIntensiveWork } = createBackgroundThrottle()
const kept = []
for (let i = 0; i < 3e5; i += 1) kept.push({ i, list: [i] })
if (process.argv[2] === 'limited') {
  const [first] = [beginMemoryIntensiveWork(), beginMemoryIntensiveWork()]
  first()
  first()
}
const profiler = new GCProfiler()
profiler.start()
for (let round = 0; round < 60; round += 1) {
  const held = []
  for (let i = 0; i < 1e5; i += 1) held.push({ i, list: [i] })
}
const { statistics } = profiler.stop()
console.log(statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').length)
`

void t.test('heaps are collected more often while memory-intensive work is running, so they grow less', async (t) => {
  const folder = t.testdir({ 'churn.mjs': SCRIPT })
  // V8 chooses the growth of a heap by the speed of its collections, so by the load of the machine. Both runs start with a fixed growth,
  // which memory-intensive work lowers. Each collection is complete and on the own thread: marking in steps and the memory reducer start
  // at times that depend on the load.
  const flags = [
    '--no-memory-reducer',
    '--no-incremental-marking',
    '--single-threaded-gc',
    '--heap-growing-percent=300',
  ]
  const heap = ['--min-semi-space-size=1', '--max-semi-space-size=1']
  const countCollections = (...words: string[]): number =>
    Number(execFileSync(process.execPath, [...flags, ...heap, join(folder, 'churn.mjs'), ...words]))
  const [limited, usual] = [countCollections('limited'), countCollections()]
  t.ok(limited > usual * 2, `${limited} collections, ${usual} without`)
})

/** Grows its young generation by objects that survive a while, as the start of a command does, and prints its size. */
const YOUNG_SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8'
import { createGarbageCollector, limitYoungGenerationGrowth } from ${JSON.stringify(THREADS)}
const churn = () => {
  for (let round = 0; round < 20; round += 1) {
    const held = []
    for (let i = 0; i < 1e5; i += 1) held.push({ i, list: [i] })
  }
}
churn()
if (process.argv[2] === 'limited') {
  limitYoungGenerationGrowth()
  createGarbageCollector().collectWholeHeap()
}
churn()
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)
`

void t.test('the young generation becomes small and stays so after its growth was limited', async (t) => {
  const folder = t.testdir({ 'young.mjs': YOUNG_SCRIPT })
  const youngBytes = (...words: string[]): number =>
    Number(execFileSync(process.execPath, ['--max-semi-space-size=16', join(folder, 'young.mjs'), ...words]))
  const [limited, usual] = [youngBytes('limited'), youngBytes()]
  t.ok(limited * 2 < usual, `${limited} bytes, ${usual} without`)
})
