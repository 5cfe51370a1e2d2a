import t from 'tap'
import { closeOnce } from '../../src/core/core-services.ts'
import { loggedClose } from '../../src/core/logged-close.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger, type Logger } from '../../src/core/platform/logging/index.ts'

async function recordingLog(): Promise<{ log: Logger; lines: string[] }> {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { log: await createLogger(loadConfig({ environment: {} }), { level: 'error', destination }), lines }
}

void t.test('a part whose close fails is logged, and the other parts are closed in reverse order', async (t) => {
  const { log, lines } = await recordingLog()
  const closed: string[] = []
  const stack = new AsyncDisposableStack()
  for (const part of ['database', 'readers', 'segments']) {
    const close = async (): Promise<void> => {
      closed.push(part)
      if (part === 'readers') throw new Error('the thread does not end')
    }
    stack.defer(loggedClose(log, part, close))
  }
  await t.resolves(closeOnce(stack)())
  t.strictSame(closed, ['segments', 'readers', 'database'])
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ''), { part: 'readers', reason: /the thread does not end/, msg: 'closing failed' })
})

void t.test('parts are closed once, and a later close waits for the first one', async (t) => {
  const { log } = await recordingLog()
  const gate = Promise.withResolvers<void>()
  let [closes, hasEnded] = [0, false]
  const stack = new AsyncDisposableStack()
  stack.defer(
    loggedClose(log, 'database', async () => {
      closes += 1
      await gate.promise
    }),
  )
  const close = closeOnce(stack)
  const first = close()
  const second = close().then(() => (hasEnded = true))
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(hasEnded, false)
  gate.resolve()
  await Promise.all([first, second])
  await close()
  t.equal(closes, 1)
})
