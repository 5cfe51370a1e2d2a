import t from 'tap'
import {
  parseExternalAddress,
  externalAddressRequest,
  parseMapping,
  mappingRequest,
  OPCODES,
  parseNatPmpReply,
} from '../../../../src/core/network/nat-pmp/messages.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

void t.test('requests have the bytes of RFC 6886', (t) => {
  t.equal(externalAddressRequest().toString('hex'), '0000')
  const request = mappingRequest({ internalPort: 8096, externalPort: 443, leaseSeconds: 3600 })
  t.equal(request.toString('hex'), '000200001fa001bb00000e10')
  t.end()
})

void t.test('replies are read', (t) => {
  const address = parseNatPmpReply(Buffer.from('008000000000004d510245a0', 'hex'), OPCODES.externalAddress)
  t.match(address, { resultCode: 0, epochSeconds: 77 })
  t.equal(address && parseExternalAddress(address), '81.2.69.160')
  const none = parseNatPmpReply(Buffer.from('008000000000004d00000000', 'hex'), OPCODES.externalAddress)
  t.equal(none && parseExternalAddress(none), null)
  const mapped = parseNatPmpReply(Buffer.from('008200000000004d1fa01fa100000e10', 'hex'), OPCODES.mapTcp)
  t.strictSame(mapped && parseMapping(mapped), { internalPort: 8096, externalPort: 8097, leaseSeconds: 3600 })
  t.match(
    parseNatPmpReply(Buffer.from('008200020000004d', 'hex'), OPCODES.mapTcp),
    { resultCode: 2 },
    'an error is shorter',
  )
  t.end()
})

void t.test('datagrams that are no replies to the request are ignored', (t) => {
  const texts = [
    '',
    '00',
    '00820000000000',
    '008200000000004d1fa01fa10000',
    '018200000000004d1fa01fa100000e10',
    '000200000000004d1fa01fa100000e10',
    '008000000000004d1fa01fa100000e10',
  ]
  for (const hex of texts) t.equal(parseNatPmpReply(Buffer.from(hex, 'hex'), OPCODES.mapTcp), undefined, hex)
  t.end()
})

void t.test('random bytes are never misread as more than they contain', (t) => {
  const random = seededRandom(5351)
  for (let round = 0; round < 5000; round += 1) {
    const bytes = Buffer.from(Array.from({ length: random.below(24) }, () => random.below(256)))
    if (bytes.length > 1 && round % 2 === 0) bytes.set([0, 130])
    const reply = parseNatPmpReply(bytes, OPCODES.mapTcp)
    if (reply?.resultCode === 0) parseMapping(reply)
  }
  t.pass('no exception')
  t.end()
})
