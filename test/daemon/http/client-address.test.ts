import t from 'tap'
import { parseAddressRanges } from '../../../src/core/platform/config/index.ts'
import { resolveClientAddress } from '../../../src/daemon/http/client-address.ts'

const { ranges: trusted } = parseAddressRanges('127.0.0.0/8,::1,10.0.0.0/8')

/** The client address for a trusted peer and this header. */
const behindProxy = (...forwardedFor: string[]): string =>
  resolveClientAddress({ peer: '127.0.0.1', forwardedFor, trusted })

void t.test('without a header the client is the peer, in its shortest form (RL-02)', (t) => {
  for (const [peer, client] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [undefined, 'unknown'],
  ] as const) {
    t.equal(resolveClientAddress({ peer, forwardedFor: undefined, trusted }), client)
  }
  t.end()
})

void t.test('headers of an untrusted peer are not read (RL-02)', (t) => {
  for (const forwardedFor of [['1.2.3.4'], ['127.0.0.1'], ['1.2.3.4, 10.0.0.5'], ['1.2.3.4', '::1']]) {
    t.equal(resolveClientAddress({ peer: '192.0.2.1', forwardedFor, trusted }), '192.0.2.1')
  }
  t.end()
})

void t.test('behind trusted proxies the client is the right-most hop that is none of them (RL-03)', (t) => {
  t.equal(behindProxy('1.2.3.4, 10.0.0.5'), '1.2.3.4')
  t.equal(behindProxy('6.6.6.6, 1.2.3.4, 10.0.0.5'), '1.2.3.4', 'what the client wrote itself does not count')
  t.equal(behindProxy('127.0.0.1, 1.2.3.4'), '1.2.3.4', 'nor when it names a proxy')
  t.equal(behindProxy('1.2.3.4', '10.0.0.5'), '1.2.3.4', 'two headers are one list')
  t.equal(behindProxy('10.0.0.6, 10.0.0.5'), '10.0.0.6', 'a caller inside the trusted net')
  t.equal(resolveClientAddress({ peer: '::ffff:10.0.0.1', forwardedFor: ['1.2.3.4'], trusted }), '1.2.3.4')
  t.end()
})

void t.test('a hop is read with port, brackets, zone or as mapped IPv4 (RL-04)', (t) => {
  for (const [hop, client] of [
    ['1.2.3.4:80', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:0102:0304', '1.2.3.4'],
    ['[2001:db8::1]:9', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%eth0]:1', 'fe80::1'],
    ['  2001:DB8::0001\t', '2001:db8::1'],
  ] as const) {
    t.equal(behindProxy(hop), client, hop)
  }
  t.end()
})

void t.test('a hop that is not an address ends the search at the last valid one (RL-04)', (t) => {
  for (const hop of [
    'evil',
    '',
    ',',
    '1.2.3',
    '1.2.3.4:port',
    '1.2.3.4:',
    '256.1.1.1',
    '[1.2.3.4',
    '01.2.3.4',
    '%eth0',
  ]) {
    t.equal(behindProxy(hop), '127.0.0.1', JSON.stringify(hop))
    t.equal(behindProxy(`${hop}, 10.0.0.5`), '10.0.0.5', JSON.stringify(hop))
    t.equal(behindProxy(`${hop}, 1.2.3.4`), '1.2.3.4', JSON.stringify(hop))
  }
  t.end()
})

void t.test('of thousands of hops only the last ones are evaluated (RL-04)', (t) => {
  t.equal(behindProxy(`6.6.6.6, ${'10.0.0.5,'.repeat(5000)}10.0.0.9`), '10.0.0.5')
  t.equal(behindProxy(`${'x,'.repeat(5000)}1.2.3.4`), '1.2.3.4')
  t.equal(behindProxy('[:'.repeat(8000)), '127.0.0.1')
  t.end()
})
