import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { scopeTapToFiles } from './file-scope.ts'
import { describeChanges, readProcessState } from './process-state.ts'
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

function send(message: WorkerMessage): void {
  process.send?.(message)
}

function countAssertions(): Assertions {
  const { pass, fail, skip, todo } = t.counts
  return { passed: pass, failed: fail + todo, skipped: skip }
}

async function run(file: string): Promise<FileDone> {
  const [before, state, startedAt] = [countAssertions(), readProcessState(), performance.now()]
  report = ''
  const onModulesLoaded = (): void => recordSetup('modules', performance.now() - startedAt)
  await t.test(file, async (t) => {
    enter({ t, onModulesLoaded })
    await import(pathToFileURL(resolve(file)).href)
  })
  const after = countAssertions()
  return {
    type: 'done',
    file,
    assertions: {
      passed: after.passed - before.passed,
      failed: after.failed - before.failed,
      skipped: after.skipped - before.skipped,
    },
    report,
    leftBehind: describeChanges(state, readProcessState()),
    durationMilliseconds: performance.now() - startedAt,
    setup: takeSetupTimes(),
  }
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
send({ type: 'ready' })
