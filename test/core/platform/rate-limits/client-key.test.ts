import t from 'tap'
import { rateKeyOf } from '../../../../src/core/platform/rate-limits/index.ts'

void t.test('an IPv4 address is counted as it is', (t) => {
  for (const address of ['192.0.2.1', '192.0.2.2', 'unknown']) t.equal(rateKeyOf(address), address)
  t.end()
})

void t.test('a thousand addresses inside one /64 are one key (RL-05)', (t) => {
  const keys = new Set(Array.from({ length: 1000 }, (_, index) => rateKeyOf(`2001:db8:1:2:${index.toString(16)}::7`)))
  t.strictSame([...keys], ['2001:db8:1:2::/64'])
  t.end()
})

void t.test('every way to shorten an IPv6 address leads to its first 64 bits (RL-05)', (t) => {
  for (const [address, key] of [
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::1.2.3.4', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['1:2:3::6:7:8', '1:2:3:0::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ] as const) {
    t.equal(rateKeyOf(address), key, address)
  }
  t.end()
})
