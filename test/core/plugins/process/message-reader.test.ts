import t from 'tap'
import { createMessageReader, MAX_LINE_BYTES } from '../../../../src/core/plugins/process/message-reader.ts'

function collect() {
  const messages: unknown[] = []
  let invalid = 0
  const read = createMessageReader({ message: (message) => messages.push(message), invalid: () => (invalid += 1) })
  return { read, messages, invalid: () => invalid }
}

void t.test('lines are joined from pieces of any size', (t) => {
  const bytes = Buffer.from('{"a":"é"}\n\n{"b":2}\n{"c":')
  for (const size of [1, 2, 3, 7, 100]) {
    const { read, messages, invalid } = collect()
    for (let start = 0; start < bytes.length; start += size) read(bytes.subarray(start, start + size))
    t.strictSame(messages, [{ a: 'é' }, { b: 2 }])
    t.equal(invalid(), 0)
  }
  t.end()
})

void t.test('what is no JSON object, too deep or too long is counted once, and the next line is read', (t) => {
  const bad = [
    'x',
    '[1]',
    'null',
    '{"a":',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    `{"a":"${'x'.repeat(MAX_LINE_BYTES)}"}`,
  ]
  for (const line of bad) {
    const { read, messages, invalid } = collect()
    const bytes = Buffer.from(`${line}\n{"ok":1}\n`)
    for (let start = 0; start < bytes.length; start += 65_536) read(bytes.subarray(start, start + 65_536))
    t.equal(invalid(), 1, line.slice(0, 20))
    t.strictSame(messages, [{ ok: 1 }])
  }
  t.end()
})

void t.test('a line is checked while it arrives, so that nothing is left for its end but the parsing', (t) => {
  for (const beginning of ['{"a":[' + '0,'.repeat(20_001), '{"a":' + '['.repeat(40)]) {
    const { read, messages, invalid } = collect()
    read(Buffer.from(beginning))
    t.equal(invalid(), 1, 'before its end')
    read(Buffer.from('0'.repeat(100_000)))
    read(Buffer.from('\n{"ok":1}\n'))
    t.equal(invalid(), 1, 'once')
    t.strictSame(messages, [{ ok: 1 }])
  }
  t.end()
})
