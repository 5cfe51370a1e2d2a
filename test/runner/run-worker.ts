import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { failRunningTest } from './error-domains.ts'
import { scopeTapToFiles } from './file-scope.ts'
import { describeChanges, readProcessState } from './process-state.ts'
import { readProcessorMilliseconds } from './processor-time.ts'
import { recordSetup, takeSetupTimes } from './setup-times.ts'
import type { Assertions, FileDone, RunnerMessage, WorkerMessage } from './worker-messages.ts'

/**
 * A process that runs test files one after the other, each as a subtest, and reports each to its parent. The files share the loaded
 * modules; that is what makes it fast.
 */

let report = ''
t.setTimeout(0)
t.pipe(
  new Writable({
    write(chunk, _encoding, done) {
      report += String(chunk)
      done()
    },
  }),
)
const enter = scopeTapToFiles()
const uncaughtErrors = failRunningTest(t)

function send(message: WorkerMessage): void {
  process.send?.(message)
}

function countAssertions(): Assertions {
  const { pass, fail, skip, todo } = t.counts
  return { passed: pass, failed: fail + todo, skipped: skip }
}

/** What the files so far have been told of. The rest came between files, and is told with the next one. */
let told = countAssertions()

async function run(file: string): Promise<FileDone> {
  const [state, startedAt] = [readProcessState(), performance.now()]
  const processorAtStart = readProcessorMilliseconds()
  report = ''
  const onModulesLoaded = (): void => recordSetup('modules', performance.now() - startedAt)
  const results = await t.test(file, async (t) => {
    enter({ t, onModulesLoaded })
    uncaughtErrors.watch(t)
    await import(pathToFileURL(resolve(file)).href)
  })
  const after = countAssertions()
  const assertions = {
    passed: after.passed - told.passed,
    failed: after.failed - told.failed,
    skipped: after.skipped - told.skipped,
  }
  told = after
  return {
    type: 'done',
    file,
    ...judge(file, assertions, results),
    leftBehind: describeChanges(state, readProcessState()),
    durationMilliseconds: performance.now() - startedAt,
    processorMilliseconds: readProcessorMilliseconds() - processorAtStart,
    setup: takeSetupTimes(),
  }
}

/** A file without any test, and one whose report is broken, has failed although no assertion of it has. */
function judge(
  file: string,
  assertions: Assertions,
  results: { ok: boolean; count: number } | null,
): { assertions: Assertions; report: string } {
  // An empty file is itself counted as one passed assertion.
  if (results === null || results.count === 0) {
    return { assertions: { passed: 0, failed: 1, skipped: 0 }, report: `${report}not ok - ${file} has no tests\n` }
  }
  if (results.ok || assertions.failed > 0) return { assertions, report }
  return { assertions: { ...assertions, failed: 1 }, report: `${report}not ok - ${file} did not end as planned\n` }
}

process.on('message', (message: RunnerMessage) => {
  switch (message.type) {
    case 'run':
      void run(message.file).then(send)
      break
    case 'describe':
      send({ type: 'state', report, resources: process.getActiveResourcesInfo() })
      break
    case 'end':
      // From now on only what the tests left open keeps the process alive.
      t.end()
      process.channel?.unref()
      break
  }
})
process.once('disconnect', () => process.exit())
process.once('exit', () => {
  // What failed after the last file is told by the exit code.
  if (countAssertions().failed > told.failed) process.exitCode = 1
})
send({ type: 'ready' })
