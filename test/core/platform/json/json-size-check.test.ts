import t from 'tap'
import { JsonSizeCheck } from '../../../../src/core/platform/json/index.ts'

/** The decision on a text in one piece, which is that on the same text in pieces of every small size. */
function check(text: string, pieceLengths: readonly number[] = []): boolean {
  const bytes = Buffer.from(text)
  const isAccepted = new JsonSizeCheck().accepts(bytes)
  for (const length of pieceLengths) {
    const size = new JsonSizeCheck()
    let isAcceptedInPieces = true
    for (let start = 0; isAcceptedInPieces && start < bytes.length; start += length)
      isAcceptedInPieces = size.accepts(bytes.subarray(start, start + length))
    if (isAcceptedInPieces !== isAccepted) throw new Error(`pieces of ${length} bytes are counted in another way`)
  }
  return isAccepted
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const list = (length: number): string => `[${Array.from({ length }, () => '0').join(',')}]`
const PIECES = [1, 2, 3, 5, 1000]

void t.test('JSON has at most 1,000 levels', async (t) => {
  t.equal(check(nested(1000), PIECES), true)
  t.equal(check(nested(1001), PIECES), false)
  t.equal(check('{"a":'.repeat(1001), PIECES), false, 'objects, which are not closed')
  t.equal(check(`[${'[],{},'.repeat(2000)}0]`, PIECES), true, 'side by side')
})

void t.test('JSON has at most 20,000 keys and values', async (t) => {
  t.equal(check(list(19_999), PIECES), true, 'the list is a value too')
  t.equal(check(list(20_000), PIECES), false)
  t.equal(check(`[${'{},'.repeat(10_001)}0]`, PIECES), false, 'empty objects')
  t.equal(check(`{${Array.from({ length: 10_001 }, (_, n) => `"k${n}":0`).join(',')}}`, PIECES), false, 'keys')
})

void t.test('text is not counted, whatever it contains', async (t) => {
  const inside = '[{:,'.repeat(30_000)
  t.equal(check(`{"a":"${inside}"}`, PIECES), true)
  t.equal(check(`{"a":"\\"${inside}\\\\"}`, PIECES), true, 'with escaped quotes')
  t.equal(check(`{"a":"ä\\\\"${inside}`, PIECES), false, 'the text ends after an escaped backslash')
  t.equal(check(`"${inside}`, PIECES), true, 'without an end: the parser refuses it')
  t.equal(check(`"\\`, PIECES), true, 'an escape at the end')
  t.equal(check('', PIECES), true)
})

void t.test('long texts end where JSON.parse ends them', async (t) => {
  for (const length of [1, 510, 511, 512, 513, 514, 1023, 1024, 1025, 1600]) {
    for (const inside of ['', '\\"', '\\\\', '\\\\\\"', '\\u0041', 'ä']) {
      for (const at of [0, 1, 509, 510, 511, 512, 513, length]) {
        const text = `"${'x'.repeat(Math.min(at, length))}${inside}${'x'.repeat(Math.max(0, length - at))}"`
        JSON.parse(text)
        const others = length + inside.length
        t.equal(check(`[${text}${',0'.repeat(19_998)}]`, [64, 512, 513, others]), true, `${others} characters`)
        t.equal(check(`[${text}${',0'.repeat(19_999)}]`), false)
      }
    }
  }
})

void t.test('other limits can be given', async (t) => {
  const limited = (text: string) =>
    new JsonSizeCheck({ maxLevels: 2, maxKeysAndValues: 30_000 }).accepts(Buffer.from(text))
  t.equal(limited(nested(2)), true)
  t.equal(limited(nested(3)), false)
  t.equal(limited(list(29_999)), true)
  t.equal(limited(list(30_000)), false)
})
