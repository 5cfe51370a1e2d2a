import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createLargeBodyPace } from '../../../src/daemon/http/large-body-pace.ts'

const MEBIBYTE = 1024 * 1024

void t.test(
  'large bodies of one account wait for their bytes a second, and others do not wait for it (RL-10)',
  async (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const pace = createLargeBodyPace({ bytesPerSecond: 16 * MEBIBYTE })
    const parsed: string[] = []
    const parse = (account: string, name: string): void => {
      void pace.waitFor(account, MEBIBYTE).then(() => parsed.push(name))
    }
    for (const name of ['first', 'second', 'third']) parse('ann', name)
    parse('bob', 'of another')
    await nextTurn()
    t.strictSame(parsed, ['first', 'of another'])
    mock.timers.tick(62)
    await nextTurn()
    t.equal(parsed.length, 2, 'not before 1 MiB / 16 MiB of a second')
    mock.timers.tick(1)
    await nextTurn()
    t.strictSame(parsed.slice(2), ['second'])
    mock.timers.tick(63)
    await nextTurn()
    t.strictSame(parsed.slice(3), ['third'])
    mock.timers.tick(63)
    parse('ann', 'later')
    await nextTurn()
    t.strictSame(parsed.slice(4), ['later'], 'after a pause there is no wait')
  },
)
