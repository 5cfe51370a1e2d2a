import t from 'tap'
import { countClient, networkRateLimitKey, rateLimitKey } from '../../../../src/core/platform/rate-limits/index.ts'

void t.test('an IPv4 address is counted as it is', (t) => {
  for (const address of ['192.0.2.1', '192.0.2.2', 'unknown']) t.equal(rateLimitKey(address), address)
  t.end()
})

void t.test('a thousand addresses inside one /64 are one key (RL-05)', (t) => {
  const keys = new Set(
    Array.from({ length: 1000 }, (_, index) => rateLimitKey(`2001:db8:1:2:${index.toString(16)}::7`)),
  )
  t.strictSame([...keys], ['2001:db8:1:2::/64'])
  t.end()
})

void t.test('every notation of an IPv6 address yields its first 64 bits (RL-05)', (t) => {
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
    t.equal(rateLimitKey(address), key, address)
  }
  t.end()
})

void t.test('only IPv6 addresses have a network, their first 48 bits', (t) => {
  t.equal(networkRateLimitKey('192.0.2.1'), undefined)
  t.equal(networkRateLimitKey('unknown'), undefined)
  for (const address of ['2001:db8:1::', '2001:db8:1:ffff::1', '2001:db8:1:2:3:4:5:6']) {
    t.equal(networkRateLimitKey(address), '2001:db8:1::/48', address)
  }
  t.end()
})

void t.test('the limit of a network is four times that of an address; the closer limit applies', async (t) => {
  const hits = new Map<string, number>()
  const countKey = (key: string) => {
    hits.set(key, (hits.get(key) ?? 0) + 1)
    return { hits: hits.get(key) ?? 0, millisecondsLeft: key.endsWith('/48') ? 48 : 64 }
  }
  for (let call = 0; call < 40; call += 1) await countClient({ address: `2001:db8:1:${call}::1`, max: 10 }, countKey)
  t.strictSame(await countClient({ address: '2001:db8:1:40::1', max: 10 }, countKey), {
    hits: 11,
    millisecondsLeft: 48,
  })
  t.strictSame(await countClient({ address: '2001:db8:2::1', max: 10 }, countKey), { hits: 1, millisecondsLeft: 64 })
  t.strictSame(await countClient({ address: '192.0.2.1', max: 10 }, countKey), { hits: 1, millisecondsLeft: 64 })
})

void t.test('calls beyond the limit of an address do not count for its network', async (t) => {
  const hits = new Map<string, number>()
  const countKey = (key: string) => {
    hits.set(key, (hits.get(key) ?? 0) + 1)
    return { hits: hits.get(key) ?? 0, millisecondsLeft: 1 }
  }
  for (let call = 0; call < 1000; call += 1) await countClient({ address: '2001:db8:1:1::1', max: 10 }, countKey)
  t.equal(hits.get('2001:db8:1::/48'), 10)
  t.equal((await countClient({ address: '2001:db8:1:2::1', max: 10 }, countKey)).hits, 3, 'others are let in')
})
