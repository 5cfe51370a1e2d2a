import t from 'tap'
import { runPhlix, startPhlix, temporaryDataDirectory } from '../support/phlix.ts'
import { processesOf, waitForNoProcess } from '../support/processes.ts'

void t.test('ten commands at once use the one engine, and none of its processes is left afterwards', async (t) => {
  const data = await temporaryDataDirectory(t)
  await runPhlix(['migrate', '--data-dir', data])
  await waitForNoProcess(data)
  const running = Array.from({ length: 10 }, () => startPhlix(['library:list', '--json', '--data-dir', data]))
  const results = await Promise.all(running.map(({ result }) => result))
  for (const { code, stdout, stderr } of results) {
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { schema: 'library.list/1', libraries: [] })
  }
  await waitForNoProcess(data)
  t.strictSame(processesOf(data), [])
})

void t.test('ten first commands at once on an empty data directory all succeed', async (t) => {
  const data = await temporaryDataDirectory(t)
  const results = await Promise.all(Array.from({ length: 10 }, () => runPhlix(['library:list', '--data-dir', data])))
  t.strictSame(
    results.map(({ code, stderr }) => ({ code, stderr })),
    results.map(() => ({ code: 0, stderr: '' })),
  )
})

void t.test('a killed command does not keep the engine', async (t) => {
  const data = await temporaryDataDirectory(t)
  await runPhlix(['migrate', '--data-dir', data])
  const running = startPhlix(['library:list', '--data-dir', data])
  running.child.kill('SIGKILL')
  await running.result
  await t.resolves(waitForNoProcess(data))
  t.equal((await runPhlix(['library:list', '--data-dir', data])).code, 0)
})
