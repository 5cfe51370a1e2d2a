import type { LookupAddress } from 'node:dns'
import t from 'tap'
import { checkUrlAndDns } from '../../../../src/core/platform/outbound/index.ts'

/** A resolver that knows one name. */
const known =
  (addresses: readonly string[] | undefined) =>
  (_host: string, _options: unknown, done: (error: Error | null, found: LookupAddress[]) => void): void =>
    addresses === undefined
      ? done(new Error('ENOTFOUND'), [])
      : done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )

void t.test('all addresses of a name are checked when it is configured (SS-03)', async (t) => {
  const refused = { code: 'outbound_refused', message: 'The address of a.test is not allowed.' }
  const check = (trust: 'public' | 'configured', ...addresses: string[]) =>
    checkUrlAndDns('https://a.test/x', trust, known(addresses))
  t.equal((await check('public', '93.184.216.34', '2606:4700::1111')).hostname, 'a.test')
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '169.254.169.254', '::ffff:10.0.0.1']) {
    await t.rejects(check('public', '93.184.216.34', address), refused, address)
  }
  await check('configured', '127.0.0.1', '192.168.0.1', 'fd00::1')
  await t.rejects(check('configured', '192.168.0.1', '169.254.169.254'), refused)
})

void t.test('a name that does not resolve in time is accepted; localhost is always this machine', async (t) => {
  t.ok(await checkUrlAndDns('http://later.test/', 'public', known(undefined)))
  t.ok(await checkUrlAndDns('http://slow.test/', 'public', () => undefined))
  for (const host of ['localhost', 'localhost.', 'a.localhost', 'LOCALHOST']) {
    await t.rejects(checkUrlAndDns(`http://${host}/`, 'public', known(undefined)), { code: 'outbound_refused' }, host)
    t.ok(await checkUrlAndDns(`http://${host}/`, 'configured', known(undefined)), host)
  }
  t.ok(await checkUrlAndDns('http://notlocalhost.test/', 'public', known(undefined)))
})
