import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startTool } from '../../../../src/core/platform/spawn/index.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { processState } from '../../../support/processes.ts'

const INDEX_MODULE = join(import.meta.dirname, '../../../../src/core/platform/spawn/index.ts')

/** A shell line as the program under test; the product itself never uses a shell. */
const shell = (line: string, onLine: (line: string) => void = () => {}) =>
  startTool({ program: '/bin/sh', arguments: ['-c', line], onLine })

void t.test('complete lines are reported immediately, and the end includes the last errors', async (t) => {
  const lines: string[] = []
  const tool = shell('printf "a\\nb"; printf "c\\nlast"; echo no >&2; exit 3', (line) => lines.push(line))
  t.strictSame(await tool.ended, { outcome: 'exited', exitCode: 3, signal: null, stderrTail: 'no\n' })
  t.strictSame(lines, ['a', 'bc'])
})

void t.test('an endless line uses no memory and is not reported', async (t) => {
  const lines: string[] = []
  const tool = shell('head -c 20000000 /dev/zero | tr "\\0" x; echo; echo end', (line) => lines.push(line))
  await tool.ended
  t.strictSame(lines, ['end'])
})

void t.test('a tool and its children are paused, resumed and killed together, also while paused', async (t) => {
  const lines: string[] = []
  const tool = shell('sleep 600 & echo $!; wait', (line) => lines.push(line))
  await waitUntil('the first line', () => lines.length === 1)
  const pids = [tool.pid ?? 0, Number(lines[0])]
  tool.pause()
  await waitUntil('both are stopped', () => pids.every((pid) => processState(pid) === 'T'))
  tool.resume()
  await waitUntil('both go on', () => pids.every((pid) => processState(pid) === 'S'))
  tool.pause()
  tool.kill()
  t.match(await tool.ended, { outcome: 'exited', signal: 'SIGKILL' })
  await waitUntil('all are gone', () => pids.every((pid) => ['', 'Z'].includes(processState(pid))))
  tool.pause()
  tool.kill()
})

void t.test('a tool with a niceness has a lower priority also among sessions', async (t) => {
  const tool = startTool({ program: 'sleep', arguments: ['600'], niceness: 7, onLine: () => {} })
  t.teardown(() => tool.kill())
  const pid = tool.pid ?? 0
  await waitUntil('the priority is lower', () => getPriority(pid) === 7)
  if (!existsSync('/proc/self/autogroup')) return
  await waitUntil('the priority of the session is lowered', () =>
    readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim().endsWith('nice 7'),
  )
})

void t.test('a missing program is an outcome', async (t) => {
  const tool = startTool({ program: '/nonexistent/tool', arguments: [], niceness: 5, onLine: () => {} })
  t.match(await tool.ended, { outcome: 'not_found' })
})

void t.test('four tools end when their parent is killed, running or paused (F-36)', async (t) => {
  const script = `import { readFileSync } from 'node:fs'
    import { startTool } from ${JSON.stringify(INDEX_MODULE)}
    const tools = Array.from({ length: 4 }, () => startTool({ program: 'sleep', arguments: ['600'], onLine() {} }))
    const words = ({ pid }) => readFileSync('/proc/' + pid + '/cmdline', 'utf8')
    // Each is first setpriv, which requests the death signal, and then executes its program.
    while (!tools.every((tool) => words(tool).startsWith('sleep'))) await new Promise((resolve) => setTimeout(resolve, 10))
    tools[0].pause(); tools[1].pause()
    console.log(tools.map(({ pid }) => pid).join(' '))`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = (await once(parent.stdout, 'data')) as [Buffer]
  const pids = text.toString().trim().split(' ').map(Number)
  t.equal(pids.length, 4)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await waitUntil('all are gone', () => pids.every((pid) => ['', 'Z'].includes(processState(pid))))
  t.pass('all are gone')
})
