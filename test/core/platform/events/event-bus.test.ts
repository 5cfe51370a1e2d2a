import { Writable } from 'node:stream'
import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createEventBus, type Events } from '../../../../src/core/platform/events/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'

const UPDATED: Events['library.updated'] = {
  libraryId: '1',
  scanJobId: '2',
  jobType: 'scan',
  outcome: 'completed',
  itemsAdded: 3,
  itemsRemoved: 0,
}

void t.test('every listener receives events until it unsubscribes, also when another one fails', async (t) => {
  let text = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const log = await createLogger(loadConfig({ dataDirectory: t.testdir(), environment: {} }), { destination })
  const events = createEventBus({ log })
  const heard: number[] = []
  events.publish('library.updated', UPDATED)
  events.subscribe('library.updated', () => {
    throw new Error('it broke')
  })
  const stop = events.subscribe('library.updated', ({ itemsAdded }) => heard.push(itemsAdded))
  events.publish('library.updated', UPDATED)
  t.strictSame(heard, [3], 'earlier events are not received')
  t.match(text, /"msg":"a listener failed"/)
  stop()
  stop()
  events.publish('library.updated', UPDATED)
  t.strictSame(heard, [3])
})
