import t from 'tap'
import { encodingOfByteOrderMark } from '../../../../src/core/platform/files/index.ts'

void t.test('a byte order mark names the encoding, and only a complete one', (t) => {
  t.equal(encodingOfByteOrderMark(Buffer.from('\uFEFFa')), 'utf-8')
  t.equal(encodingOfByteOrderMark(Buffer.from('\uFEFFa', 'utf16le')), 'utf-16le')
  t.equal(encodingOfByteOrderMark(Buffer.from('\uFEFFa', 'utf16le').swap16()), 'utf-16be')
  for (const bytes of [[], [0xff], [0xfe], [0xef, 0xbb], [0x61, 0xff, 0xfe], [0xfe, 0xfe]])
    t.equal(encodingOfByteOrderMark(Uint8Array.from(bytes)), undefined)
  t.end()
})
