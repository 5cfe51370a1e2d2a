import t from 'tap'
import { parseAddressRanges } from '../../../../src/core/platform/config/index.ts'

void t.test('a list holds addresses and ranges of both families', (t) => {
  const { ranges, wrong } = parseAddressRanges(' 10.1.2.3/8 ,192.0.2.7,, 2001:db8::/32,::1')
  t.strictSame(wrong, [])
  for (const inside of ['10.255.0.1', '192.0.2.7']) t.ok(ranges.check(inside, 'ipv4'), inside)
  for (const inside of ['2001:db8:ffff::9', '::1']) t.ok(ranges.check(inside, 'ipv6'), inside)
  for (const outside of ['11.0.0.1', '192.0.2.8']) t.notOk(ranges.check(outside, 'ipv4'), outside)
  t.notOk(ranges.check('2001:db9::1', 'ipv6'))
  t.end()
})

void t.test('an empty list contains no address, a range of all addresses contains every address', (t) => {
  t.notOk(parseAddressRanges('').ranges.check('127.0.0.1', 'ipv4'))
  t.ok(parseAddressRanges('0.0.0.0/0').ranges.check('203.0.113.9', 'ipv4'))
  t.end()
})

void t.test('every entry that is neither an address nor a range is reported', (t) => {
  const entries = [
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    '010.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
  ]
  const others = ['fe80::1%eth0', '[::1]', '1.2.3.4:80', '10.0.0.1 10.0.0.2', '1'.repeat(5000), '::'.repeat(5000)]
  t.strictSame(parseAddressRanges([...entries, '10.0.0.1', ...others].join(',')).wrong, [...entries, ...others])
  t.end()
})
