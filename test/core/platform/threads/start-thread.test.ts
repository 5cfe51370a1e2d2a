import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const START = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** Prints the maximum size in MiB of the young generations of a thread and of the main thread under allocation. */
const SCRIPT = `
import { isMainThread, parentPort } from 'node:worker_threads'
import { getHeapSpaceStatistics } from 'node:v8'
import { startThread } from ${JSON.stringify(START)}
let kept = []
for (let i = 0; i < 4e6; i += 1) { kept.push({ i }); if (kept.length > 1e5) kept = [] }
const mebibytes = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
if (isMainThread) {
  const from = { url: import.meta.url, filename: import.meta.filename }
  const [, file] = /([^/]+)\\.mjs$/.exec(import.meta.filename)
  startThread({ file, from, youngMebibytes: 6, heapMebibytes: 64 })
    .once('message', (thread) => console.log(JSON.stringify({ main: mebibytes, thread })))
} else parentPort.postMessage(mebibytes)
`

void t.test(
  'a thread has its own young generation, regardless of the command line’s size for the main thread',
  async (t) => {
    const folder = t.testdir({ 'churn.mjs': SCRIPT })
    const flags = ['--max-semi-space-size=16']
    const output = execFileSync(process.execPath, [...flags, join(folder, 'churn.mjs')], { encoding: 'utf8' })
    const { main, thread } = JSON.parse(output) as { main: number; thread: number }
    t.ok(main >= 16, `${main} MiB`)
    t.ok(thread <= 6, `${thread} MiB`)
  },
)
