import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { startPipedTool } from '../../../../src/core/platform/spawn/index.ts'
import { processState } from '../../../support/processes.ts'
import { waitUntil } from '../../../support/wait-until.ts'

/** A shell line as the program under test; the product itself never uses a shell. */
const shell = (line: string, outputs: number) =>
  startPipedTool({ program: '/bin/sh', arguments: ['-c', line], outputs })

void t.test('each output is a stream of its own, and the end includes the last errors', async (t) => {
  const tool = shell('printf one; printf two >&3; printf three >&4; echo no >&2; exit 3', 3)
  const outputs = await Promise.all(tool.outputs.map(async (output) => (await buffer(output)).toString()))
  t.strictSame(outputs, ['one', 'two', 'three'])
  t.strictSame(await tool.ended, { outcome: 'exited', exitCode: 3, signal: null, stderrTail: 'no\n' })
})

/** Fewer bytes than the kernel and a stream hold, so that the tool need not wait. */
const FEW_BYTES = 50_000

void t.test('what a tool wrote can be read after its exit, if reading began before', async (t) => {
  const tool = shell(`head -c ${FEW_BYTES} /dev/zero >&3`, 2)
  const [first, second] = tool.outputs.map((output) => output[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>)
  let bytes = (await second?.next())?.value?.length ?? 0
  await waitUntil('it has exited', () => ['', 'Z'].includes(processState(tool.pid ?? 0)))
  for await (const chunk of second ?? []) bytes += chunk.length
  t.equal(bytes, FEW_BYTES)
  t.equal((await first?.next())?.done, true)
  t.match(await tool.ended, { exitCode: 0 })
})

void t.test('a tool waits while an output is not read, and a killed one closes its outputs', async (t) => {
  const tool = shell('cat /dev/zero >&3', 2)
  const [, second] = tool.outputs
  await waitUntil('it has written', () => (second?.readableLength ?? 0) > 0 || second?.readable === true)
  tool.kill()
  t.match(await tool.ended, { outcome: 'exited', signal: 'SIGKILL' })
  t.ok(tool.outputs.every(({ destroyed }) => destroyed))
  tool.kill()
})

void t.test('a missing program is an outcome', async (t) => {
  const tool = startPipedTool({ program: '/nonexistent/tool', arguments: [], outputs: 2, niceness: 5 })
  for (const output of tool.outputs) output.resume()
  t.match(await tool.ended, { outcome: 'not_found' })
})
