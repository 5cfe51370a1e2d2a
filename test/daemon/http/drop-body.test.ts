import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { dropBody } from '../../../src/daemon/http/drop-body.ts'

const PIECE_BYTES = 64 * 1024

void t.test('the body of a refused upload is read only as fast as its pace allows (RL-10)', async (t) => {
  let readPieces = 0
  const body = Readable.from(
    (function* () {
      for (; readPieces < 64; readPieces += 1) yield Buffer.alloc(PIECE_BYTES)
    })(),
    { highWaterMark: 1 },
  )
  const waits: number[] = []
  let go = (): void => undefined
  const pace = {
    waitFor: (_key: string, bytes: number): Promise<void> => {
      waits.push(bytes)
      return new Promise((resolve) => (go = resolve))
    },
  }
  const dropped = dropBody(body, pace)
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  t.strictSame(waits, [2 * PIECE_BYTES])
  t.ok(readPieces <= 8, `${readPieces} pieces are read before the wait ends`)
  while (waits.length < 32) {
    go()
    await nextTurn()
  }
  go()
  await dropped
  t.equal(readPieces, 64, 'the body is read to its end')
})

void t.test('a client that goes away ends the reading without an error', async (t) => {
  const body = new Readable({ read: () => undefined })
  const dropped = dropBody(body, { waitFor: () => Promise.resolve() })
  body.destroy(new Error('aborted'))
  await t.resolves(dropped)
})
