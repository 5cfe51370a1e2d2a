import t from 'tap'
import { relyingPartyFor } from '../../../src/core/passkeys/index.ts'

const partyOf = (host: string | undefined, publicUrl?: string) =>
  relyingPartyFor({ config: { options: { 'server.public_url': publicUrl } } }, host)

void t.test('the host of server.public_url is the relying party, regardless of the request', (t) => {
  for (const host of ['localhost:8096', 'evil.example', undefined]) {
    t.strictSame(partyOf(host, 'https://Media.Example.org:8443/'), {
      id: 'media.example.org',
      origin: 'https://media.example.org:8443',
      name: 'Phlix',
    })
  }
  t.match(partyOf('x', 'https://bücher.example'), { id: 'xn--bcher-kva.example' })
  t.end()
})

void t.test('without it the host of the request is used if it is loopback', (t) => {
  for (const [host, id, origin] of [
    ['localhost', 'localhost', 'http://localhost'],
    ['LOCALHOST:8096', 'localhost', 'http://localhost:8096'],
    ['127.0.0.1:8096', '127.0.0.1', 'http://127.0.0.1:8096'],
    ['127.255.0.9', '127.255.0.9', 'http://127.255.0.9'],
    ['[::1]:8096', '[::1]', 'http://[::1]:8096'],
    ['localhost:80', 'localhost', 'http://localhost'],
  ] as const) {
    t.match(partyOf(host), { id, origin }, host)
  }
  t.end()
})

void t.test('any other host is refused', (t) => {
  for (const host of [
    undefined,
    '',
    'media.example',
    '192.168.1.2:8096',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '127.1',
    '127.0.0.999',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'localhost:99999',
    'localhost:',
    'localhost@evil.example',
    'localhost/x',
    'localhost\n',
    ' localhost',
    `127${'.0'.repeat(100_000)}`,
  ]) {
    t.throws(() => partyOf(host), { code: 'passkey_relying_party_unknown', kind: 'invalid' }, String(host).slice(0, 40))
  }
  t.end()
})
