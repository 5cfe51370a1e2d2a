import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const YIELD = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** Prints the priorities of the threads of a process in which one has lowered its priority: the main thread, that one, and V8's workers. */
const SCRIPT = `
import { readdirSync, readFileSync } from 'node:fs'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from ${JSON.stringify(YIELD)}
const niceOf = (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
if (isMainThread) {
  const thread = new Worker(import.meta.filename)
  thread.once('message', (yielding) => {
    const helpers = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/stat', 'utf8'))
      .filter((stat) => stat.includes('(V8Worker')).map(niceOf)
    console.log(JSON.stringify({ main: niceOf(readFileSync('/proc/self/stat', 'utf8')), yielding, helpers }))
    void thread.terminate()
  })
} else {
  lowerThreadPriority()
  parentPort.postMessage(niceOf(readFileSync('/proc/thread-self/stat', 'utf8')))
  setInterval(() => {}, 1000)
}
`

const linuxOnly = { skip: process.platform === 'linux' ? false : 'threads have priorities of their own on Linux alone' }

type Priorities = { main: number; yielding: number; helpers: number[] }

function prioritiesIn(t: Test, ...words: string[]): Priorities {
  const folder = t.testdir({ 'threads.mjs': SCRIPT })
  const [program, ...rest] = [...words, process.execPath, join(folder, 'threads.mjs')]
  return JSON.parse(execFileSync(program, rest, { encoding: 'utf8' })) as Priorities
}

void t.test(
  'request handling has a higher priority than garbage collection, and that a higher one than disk readers',
  linuxOnly,
  async (t) => {
    const { main, yielding, helpers } = prioritiesIn(t)
    t.ok(helpers.length > 0)
    t.ok(
      helpers.every((nice) => nice > main && nice < yielding),
      `${main} < ${helpers.join()} < ${yielding}`,
    )
  },
)

void t.test('no thread of a process that was started with a low priority gets a higher one', linuxOnly, async (t) => {
  const { main, yielding, helpers } = prioritiesIn(t, 'nice', '-n', '15')
  t.strictSame([main, yielding, ...helpers], [main, main, ...helpers.map(() => main)])
})
