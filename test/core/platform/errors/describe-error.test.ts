import t from 'tap'
import { describeError } from '../../../../src/core/platform/errors/index.ts'

void t.test('every thrown value has a message, also the plain objects of libraries', (t) => {
  const rows: [thrown: unknown, message: string][] = [
    [new TypeError('no such row'), 'no such row'],
    [{ message: 'connect EMFILE', queue: 'library.scan' }, 'connect EMFILE'],
    [{ message: 7 }, '[object Object]'],
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
  ]
  for (const [thrown, message] of rows) t.equal(describeError(thrown), message)
  t.end()
})
