import t from 'tap'
import { SharedTasks } from '../../../../src/core/streaming/segments/shared-tasks.ts'

const LONG = { abandonedMilliseconds: 3_600_000 }

/** A task that ends on request, or with the reason of its abortion. */
function controlled() {
  const gate = Promise.withResolvers<string>()
  const state = { starts: 0, stops: 0 }
  const start = async (signal: AbortSignal): Promise<string> => {
    state.starts += 1
    signal.addEventListener('abort', () => {
      state.stops += 1
      gate.reject(signal.reason as Error)
    })
    return gate.promise
  }
  return { start, state, finish: (value: string) => gate.resolve(value), fail: (error: Error) => gate.reject(error) }
}

void t.test('callers with the same key share one task', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  const task = controlled()
  const calls = [tasks.join('a', task.start), tasks.join('a', task.start), tasks.join('a', task.start)]
  t.equal(tasks.wantedCount, 1)
  task.finish('done')
  t.strictSame(await Promise.all(calls), ['done', 'done', 'done'])
  t.equal(task.state.starts, 1)
  t.notOk(tasks.has('a'), 'a finished task is removed')
})

void t.test('a failure reaches every caller and the next call starts a new task', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  const task = controlled()
  const calls = [tasks.join('a', task.start), tasks.join('a', task.start)]
  task.fail(new Error('broken'))
  for (const call of calls) await t.rejects(call, { message: 'broken' })
  t.equal(await tasks.join('a', () => Promise.resolve('second')), 'second')
})

void t.test('a caller that stops waiting does not affect the others', async (t) => {
  const tasks = new SharedTasks<string>({ abandonedMilliseconds: 0 })
  const task = controlled()
  const leaver = new AbortController()
  const leaving = tasks.join('a', task.start, leaver.signal)
  const staying = tasks.join('a', task.start, new AbortController().signal)
  leaver.abort(new Error('left'))
  await t.rejects(leaving, { message: 'left' })
  task.finish('done')
  t.equal(await staying, 'done')
  t.equal(task.state.stops, 0)
})

void t.test('a task without waiting callers is stopped after a delay', async (t) => {
  const tasks = new SharedTasks<string>({ abandonedMilliseconds: 1 })
  const task = controlled()
  const stopped = Promise.withResolvers<void>()
  const leaver = new AbortController()
  const call = tasks.join(
    'a',
    (signal) => {
      signal.addEventListener('abort', () => stopped.resolve())
      return task.start(signal)
    },
    leaver.signal,
  )
  leaver.abort()
  await t.rejects(call)
  // The timer does not keep the process alive, so the test must.
  const alive = setInterval(() => {}, 1000)
  await stopped.promise
  clearInterval(alive)
  t.equal(task.state.stops, 1)
  t.notOk(tasks.has('a'))
})

void t.test('a caller that returns within the delay finds the task still running', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  const task = controlled()
  const leaver = new AbortController()
  const call = tasks.join('a', task.start, leaver.signal)
  leaver.abort()
  await t.rejects(call)
  t.equal(tasks.wantedCount, 0)
  const again = tasks.join('a', task.start)
  t.equal(tasks.wantedCount, 1)
  tasks.stopAbandoned()
  task.finish('done')
  t.equal(await again, 'done')
  t.strictSame(task.state, { starts: 1, stops: 0 })
})

void t.test('abandoned tasks are stopped immediately on request', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  const task = controlled()
  const leaver = new AbortController()
  const call = tasks.join('a', task.start, leaver.signal)
  leaver.abort()
  await t.rejects(call)
  tasks.stopAbandoned()
  t.equal(task.state.stops, 1)
  t.equal(await tasks.join('a', () => Promise.resolve('anew')), 'anew', 'a stopped task is not joined')
})

void t.test('stopping all tasks gives every caller the reason and waits until the tasks have ended', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  const [one, two] = [controlled(), controlled()]
  const calls = [tasks.join('a', one.start), tasks.join('b', two.start)]
  const refused = calls.map((call) => t.rejects(call, { message: 'closing' }))
  await tasks.stopAll(new Error('closing'))
  await Promise.all(refused)
  t.equal(tasks.wantedCount, 0)
})

void t.test('a call with an aborted signal starts no task', async (t) => {
  const tasks = new SharedTasks<string>(LONG)
  await t.rejects(
    tasks.join('a', () => Promise.resolve('x'), AbortSignal.abort(new Error('gone'))),
    { message: 'gone' },
  )
  t.notOk(tasks.has('a'))
})
