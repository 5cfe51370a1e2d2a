import t from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger, createRecentLines } from '../../src/core/platform/logging/index.ts'
import { listenToSignals } from '../../src/daemon/signals.ts'

async function logger() {
  const recent = createRecentLines()
  const config = loadConfig({ environment: {} })
  const log = await createLogger(config, { destination: { write: () => undefined }, recentLines: recent })
  return { log, text: () => recent.lines().join('\n') }
}

void t.test('a restart whose stop hangs is cut off by the next run', async (t) => {
  const { log, text } = await logger()
  const begun = Promise.withResolvers<void>()
  const signals = listenToSignals(log, { limitMilliseconds: 1, replace: begun.resolve })
  t.teardown(() => signals.close())
  signals.requestStop({ name: 'restart', isRestart: true })
  t.match(await signals.stopRequested, { name: 'restart', isRestart: true })
  // The timer of the limit does not keep a process alive.
  const alive = setInterval(() => undefined, 1000)
  await begun.promise
  clearInterval(alive)
  t.match(text(), 'the stop took too long')
})

void t.test('a signal during the stop of a restart makes it a stop', async (t) => {
  const { log, text } = await logger()
  const signals = listenToSignals(log, { replace: () => t.fail('no other run') })
  t.teardown(() => signals.close())
  signals.requestStop({ name: 'restart', isRestart: true })
  const reason = await signals.stopRequested
  process.emit('SIGTERM', 'SIGTERM')
  t.equal(reason.isRestart, false)
  signals.requestStop({ name: 'restart', isRestart: true })
  t.equal(reason.isRestart, false, 'and it stays one')
  t.match(text(), 'the server stops instead of restarting')
})
