import t from 'tap'
import { listAccessCandidates } from '../../../../src/core/hub/index.ts'
import { isLocalHost } from '../../../../src/core/hub-protocol/index.ts'

void t.test(
  'addresses of the local network are the first, then public ones, then IPv6; the relay is the last',
  async (t) => {
    const urls = [
      'https://media.example.org',
      'http://[2001:db8::5]:8096',
      'http://203.0.113.5:32400',
      'http://192.168.1.5:8096',
      'http://[fd12::5]:8096',
      'http://nas:8096',
    ]
    t.strictSame(listAccessCandidates(urls, 'https://hub.example.org/relay'), [
      { kind: 'lan', url: 'http://192.168.1.5:8096' },
      { kind: 'lan', url: 'http://[fd12::5]:8096' },
      { kind: 'lan', url: 'http://nas:8096' },
      { kind: 'public', url: 'https://media.example.org' },
      { kind: 'public', url: 'http://203.0.113.5:32400' },
      { kind: 'ipv6', url: 'http://[2001:db8::5]:8096' },
      { kind: 'relay', url: 'https://hub.example.org/relay' },
    ])
  },
)

void t.test('an address that is no URL is left out', async (t) => {
  t.strictSame(listAccessCandidates(['http://[::1', 'http://a:99999'], 'r'), [{ kind: 'relay', url: 'r' }])
})

for (const host of [
  '10.0.0.1',
  '127.0.0.1',
  '::1',
  '[fe80::1]',
  '100.64.1.2',
  '::ffff:10.0.0.1',
  'nas',
  'nas.',
  'nas.LOCAL',
  'nas.local.',
  'nas.internal',
  'nas.home',
]) {
  void t.test(`${host} is of a local network`, async (t) => t.ok(isLocalHost(host)))
}

for (const host of [
  '203.0.113.5',
  '[2001:db8::1]',
  '::ffff:203.0.113.5',
  'media.example.org',
  'local.example.org',
  'internal.example.org',
]) {
  void t.test(`${host} is not of a local network`, async (t) => t.notOk(isLocalHost(host)))
}
