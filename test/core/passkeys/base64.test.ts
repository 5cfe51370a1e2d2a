import t from 'tap'
import { decodeBase64 } from '../../../src/core/passkeys/base64.ts'

void t.test('both alphabets are decoded, padded or not', (t) => {
  const bytes = Buffer.from('fbefbefbef', 'hex')
  for (const text of ['++++++8=', '++++++8', '------8=', '------8']) {
    t.same(decodeBase64(text, 5)?.toString('hex'), Buffer.from(text, 'base64').toString('hex'), text)
  }
  for (const encoding of ['base64', 'base64url'] as const) {
    t.same(decodeBase64(bytes.toString(encoding), 5), bytes)
  }
  t.end()
})

void t.test('the limit applies to the exact number of bytes', (t) => {
  for (const length of [1, 2, 3, 4, 32, 1023]) {
    const text = Buffer.alloc(length, 7).toString('base64')
    t.equal(decodeBase64(text, length)?.length, length)
    t.equal(decodeBase64(text, length - 1), undefined)
  }
  t.end()
})

void t.test('other input is refused in constant time', (t) => {
  for (const text of [
    '',
    '=',
    '==',
    'A',
    'A=',
    'AAAAA',
    'AA A',
    'AAAA\n',
    'AA==A',
    'A=A=',
    'AAA===',
    'é',
    '\0\0\0\0',
    'AAAA%3D',
  ]) {
    t.equal(decodeBase64(text, 1024), undefined, JSON.stringify(text))
  }
  t.equal(decodeBase64(`${'A'.repeat(1_000_000)}!`, 1024), undefined)
  t.equal(decodeBase64('='.repeat(1_000_000), 1_000_000), undefined)
  t.end()
})
