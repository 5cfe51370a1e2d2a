import t from 'tap'
import { isJsonObject, parseJson } from '../../../../src/core/platform/json/index.ts'

void t.test('only objects of JSON are objects', (t) => {
  for (const value of [{}, { a: 1 }]) t.ok(isJsonObject(value))
  for (const value of [null, undefined, [], [{}], 'text', 1, true, () => {}]) t.notOk(isJsonObject(value))
  t.end()
})

void t.test('bytes that are no JSON give undefined', (t) => {
  const parse = (text: string): unknown => parseJson(Buffer.from(text))
  t.strictSame(parse('{"a":"é"}'), { a: 'é' })
  t.equal(parse('null'), null)
  for (const text of ['', '{', '<html>', '{"a":1} x', 'undefined']) t.equal(parse(text), undefined)
  t.equal(parseJson(Uint8Array.of(0xff, 0xfe, 0x7b)), undefined)
  t.end()
})
