import t from 'tap'
import { isParsable } from '../../../src/daemon/http/json-size.ts'

const check = (text: string): boolean => isParsable(Buffer.from(text))
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const list = (length: number): string => `[${Array.from({ length }, () => '0').join(',')}]`

void t.test('JSON has at most 1,000 levels', async (t) => {
  t.equal(check(nested(1000)), true)
  t.equal(check(nested(1001)), false)
  t.equal(check('{"a":'.repeat(1001)), false, 'objects, which are not closed')
  t.equal(check(`[${'[],{},'.repeat(2000)}0]`), true, 'side by side')
})

void t.test('JSON has at most 50,000 keys and values', async (t) => {
  t.equal(check(list(49_999)), true, 'the list is a value too')
  t.equal(check(list(50_000)), false)
  t.equal(check(`[${'{},'.repeat(25_001)}0]`), false, 'empty objects')
  t.equal(check(`{${Array.from({ length: 25_001 }, (_, n) => `"k${n}":0`).join(',')}}`), false, 'keys')
})

void t.test('text is not counted, whatever it contains', async (t) => {
  const inside = '[{:,'.repeat(60_000)
  t.equal(check(`{"a":"${inside}"}`), true)
  t.equal(check(`{"a":"\\"${inside}\\\\"}`), true, 'with escaped quotes')
  t.equal(check(`{"a":"ä\\\\"${inside}`), false, 'the text ends after an escaped backslash')
  t.equal(check(`"${inside}`), true, 'without an end: the parser refuses it')
  t.equal(check(`"\\`), true, 'an escape at the end')
  t.equal(check(''), true)
})
