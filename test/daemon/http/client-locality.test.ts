import t from 'tap'
import { parseAddressRanges } from '../../../src/core/platform/config/index.ts'
import { resolveClientAddress } from '../../../src/daemon/http/client-address.ts'
import { isAddressKnown, classifyClientLocality } from '../../../src/daemon/http/client-locality.ts'

const { ranges: trusted } = parseAddressRanges('127.0.0.0/8,::1,10.9.0.1')

function locality(peer: string | undefined, headers: Record<string, string> = {}): string {
  const forwardedFor = headers['x-forwarded-for'] === undefined ? undefined : [headers['x-forwarded-for']]
  return classifyClientLocality({
    clientAddress: resolveClientAddress({ peer, forwardedFor, trusted }),
    peer,
    headers,
    trusted,
    publicUrl: 'https://media.example.org',
  })
}

void t.test('addresses are of this machine, private or remote', (t) => {
  for (const [peer, expected] of [
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.1.1', 'private'],
    ['fd12::1', 'private'],
    ['fe80::1%eth0', 'private'],
    ['::ffff:192.168.1.1', 'private'],
    ['172.32.0.1', 'remote'],
    ['192.0.2.1', 'remote'],
    ['100.64.0.1', 'remote'],
    ['2001:db8::1', 'remote'],
    ['0.0.0.0', 'remote'],
    ['::', 'remote'],
    [undefined, 'remote'],
  ] as const) {
    t.equal(locality(peer), expected, String(peer))
  }
  t.end()
})

void t.test('the address of a client is known, unless it is none or may be that of a proxy', (t) => {
  const isKnown = (peer: string | undefined, headers: Record<string, string> = {}) => {
    const forwardedFor = headers['x-forwarded-for'] === undefined ? undefined : [headers['x-forwarded-for']]
    return isAddressKnown({
      clientAddress: resolveClientAddress({ peer, forwardedFor, trusted }),
      peer,
      headers,
      trusted,
    })
  }
  for (const peer of ['192.0.2.1', '192.168.1.9', '127.0.0.1', '2001:db8::1']) t.ok(isKnown(peer), peer)
  for (const peer of [undefined, '', '0.0.0.0', '::', '::ffff:0.0.0.0']) t.notOk(isKnown(peer), String(peer))
  t.ok(isKnown('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }))
  t.notOk(isKnown('127.0.0.1', { 'x-forwarded-for': '0.0.0.0' }))
  t.notOk(isKnown('127.0.0.1', { 'x-forwarded-for': 'garbage' }))
  t.notOk(isKnown('172.18.0.1', { 'x-forwarded-for': '192.0.2.1' }), 'a proxy that is not trusted')
  t.notOk(isKnown('172.18.0.1', { via: '1.1 proxy' }))
  t.end()
})

void t.test('behind a trusted proxy the forwarded address counts', (t) => {
  t.equal(locality('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }), 'remote')
  t.equal(locality('127.0.0.1', { 'x-forwarded-for': '192.168.1.9' }), 'private')
  t.equal(locality('10.9.0.1', { 'x-forwarded-for': '203.0.113.9, 10.9.0.1' }), 'remote')
  t.equal(locality('127.0.0.1', { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }), 'remote')
  t.end()
})

void t.test('a trusted proxy that forwards no address hides its client, which is remote then', (t) => {
  for (const chain of [
    'garbage',
    'unknown',
    '_hidden',
    '203.0.113.9,',
    '203.0.113.9, garbage',
    '',
    '0177.0.0.1',
    '127.1',
  ]) {
    t.equal(locality('127.0.0.1', { 'x-forwarded-for': chain }), 'remote', JSON.stringify(chain))
  }
  t.equal(locality('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }), 'loopback')
  t.equal(
    locality('127.0.0.1', { 'x-forwarded-for': 'garbage, 192.168.1.9' }),
    'private',
    'what the client wrote itself',
  )
  t.end()
})

void t.test('a request forwarded by an unknown proxy is remote, even if the proxy is local', (t) => {
  for (const header of [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'via',
    'x-forwarded-proto',
  ]) {
    t.equal(locality('172.18.0.1', { [header]: '192.168.1.9' }), 'remote', header)
  }
  t.equal(locality('127.0.0.1', { 'x-real-ip': '203.0.113.9' }), 'remote', 'a trusted one that says it otherwise')
  t.equal(locality('127.0.0.1', { forwarded: 'for=127.0.0.1' }), 'remote')
  t.end()
})

void t.test('a request to a name that is not this server’s is remote (DNS rebinding)', (t) => {
  for (const host of [
    '192.168.1.2:8096',
    '[fd12::1]:8096',
    'localhost:8096',
    'nas',
    'nas.local',
    'nas.lan:8096',
    'x.home.arpa',
  ]) {
    t.equal(locality('192.168.1.9', { host }), 'private', host)
  }
  t.equal(locality('127.0.0.1', { host: 'media.example.org' }), 'loopback', 'server.public_url')
  t.equal(locality('127.0.0.1', { host: 'MEDIA.example.org.:443' }), 'loopback')
  for (const host of [
    'evil.example',
    'rebind.example:8096',
    'local.example.org',
    'x.media.example.org',
    'evil.localx',
    'a b',
    '[::1',
    '',
  ]) {
    t.equal(locality('127.0.0.1', { host }), 'remote', host)
  }
  t.end()
})
