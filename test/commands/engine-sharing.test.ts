import t from 'tap'
import { runPhlixProcess, startPhlix, temporaryDataDirectory } from '../support/phlix.ts'
import { processesOf, waitForNoProcess } from '../support/processes.ts'

/** Empty at the start; the first test creates the database, which takes longest. */
const data = await temporaryDataDirectory(t)

void t.test('ten first migrations at once on an empty data directory all succeed', async (t) => {
  const words = ['migrate', '--data-dir', data]
  const results = await Promise.all(Array.from({ length: 10 }, () => runPhlixProcess(words)))
  t.strictSame(
    results.map(({ code, stderr }) => ({ code, stderr })),
    results.map(() => ({ code: 0, stderr: '' })),
  )
  await waitForNoProcess(data)
})

void t.test('ten commands at once use the one engine, and none of its processes is left afterwards', async (t) => {
  const running = Array.from({ length: 10 }, () => startPhlix(['library:list', '--json', '--data-dir', data]))
  const results = await Promise.all(running.map(({ result }) => result))
  for (const { code, stdout, stderr } of results) {
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { schema: 'library.list/1', libraries: [] })
  }
  await waitForNoProcess(data)
  t.strictSame(processesOf(data), [])
})

void t.test('a killed command does not keep the engine', async (t) => {
  const running = startPhlix(['library:list', '--data-dir', data])
  running.child.kill('SIGKILL')
  await running.result
  await t.resolves(waitForNoProcess(data))
  t.equal((await runPhlixProcess(['library:list', '--data-dir', data])).code, 0)
})
