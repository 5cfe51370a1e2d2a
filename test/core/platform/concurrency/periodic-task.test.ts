import t from 'tap'
import { startPeriodicTask } from '../../../../src/core/platform/concurrency/index.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const ignore = (): void => {}

void t.test('runs are repeated and never overlap', async (t) => {
  const ends: (() => void)[] = []
  let [active, mostActive] = [0, 0]
  const task = startPeriodicTask({
    intervalMilliseconds: 1,
    onError: ignore,
    work: async () => {
      active += 1
      mostActive = Math.max(mostActive, active)
      await new Promise<void>((resolve) => ends.push(resolve))
      active -= 1
    },
  })
  for (let run = 0; run < 3; run += 1) {
    await waitUntil('a run is active', () => ends.length === run + 1)
    ends[run]?.()
  }
  await waitUntil('a further run is active', () => ends.length === 4)
  const stopped = task.stop()
  ends[3]?.()
  await stopped
  t.equal(mostActive, 1)
  t.equal(active, 0, 'a stop waits for the active run')
})

void t.test('a failed run is reported, and the next one follows', async (t) => {
  const errors: unknown[] = []
  let runs = 0
  const task = startPeriodicTask({
    intervalMilliseconds: 1,
    onError: (error) => errors.push(error),
    work: async () => {
      runs += 1
      if (runs === 1) throw new Error('first')
    },
  })
  await waitUntil('a second run follows', () => runs > 1)
  await task.stop()
  t.match(errors, [{ message: 'first' }])
})

void t.test('a stop aborts the active run, whose failure is not reported', async (t) => {
  const errors: unknown[] = []
  const task = startPeriodicTask({
    intervalMilliseconds: 60_000,
    startsAtOnce: true,
    onError: (error) => errors.push(error),
    work: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })),
  })
  await task.stop()
  t.strictSame(errors, [])
})

void t.test('a run on demand joins the active one and never rejects', async (t) => {
  const errors: unknown[] = []
  let runs = 0
  const task = startPeriodicTask({
    intervalMilliseconds: 60_000,
    onError: (error) => errors.push(error),
    work: async () => {
      runs += 1
      throw new Error('broken')
    },
  })
  await Promise.all([task.run(), task.run()])
  t.equal(runs, 1)
  await task.run()
  t.equal(runs, 2)
  t.equal(errors.length, 2)
  await task.stop()
})

void t.test('a task keeps the process alive unless an option prevents it', async (t) => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const input = { intervalMilliseconds: 60_000, work: async () => {}, onError: ignore }
  const tasks = [startPeriodicTask(input), startPeriodicTask({ ...input, keepsProcessAlive: false })]
  t.equal(timers(), before + 1)
  for (const task of tasks) await task.stop()
  t.equal(timers(), before)
})
