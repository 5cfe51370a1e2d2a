import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const SAVE = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** Keeps some objects, allocates many that survive a while, and prints the maximum size of the heap in MiB. */
const SCRIPT = `
import { createBackgroundThrottle } from ${JSON.stringify(SAVE)}
const { beginMemoryIntensiveWork } = createBackgroundThrottle()
const kept = []
for (let i = 0; i < 3e5; i += 1) kept.push({ i, list: [i] })
if (process.argv[2] === 'saving') {
  const [first] = [beginMemoryIntensiveWork(), beginMemoryIntensiveWork()]
  first()
  first()
}
let most = 0
const old = []
for (let i = 0; i < 2e7; i += 1) {
  old[i % 2e5] = { i, list: [i] }
  if (i > 5e6 && i % 1e5 === 0) most = Math.max(most, process.memoryUsage().heapTotal)
}
console.log(most / 2 ** 20)
`

void t.test('heaps stay smaller while memory-intensive work is running', async (t) => {
  const folder = t.testdir({ 'churn.mjs': SCRIPT })
  // V8 chooses the growth of a heap by the speed of its collections, so by the load of the machine. Both runs start with a fixed growth,
  // which memory-intensive work lowers. The thread collects on its own, because a heap keeps growing while other threads mark or sweep.
  const flags = ['--max-semi-space-size=1', '--single-threaded-gc', '--heap-growing-percent=300']
  const peakOf = (...words: string[]): number =>
    Number(execFileSync(process.execPath, [...flags, join(folder, 'churn.mjs'), ...words]))
  const [saving, usual] = [peakOf('saving'), peakOf()]
  t.ok(saving < usual * 0.75, `${saving} MiB, ${usual} without`)
})
