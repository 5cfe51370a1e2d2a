import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import {
  generateClaimCode,
  normalizeClaimCode,
  parseHubOrigin,
  verifyKeyProof,
  parsePublicKeys,
  signKeyProof,
} from '../../../src/core/hub-protocol/index.ts'

void t.test('a code has twice four symbols that people do not confuse', (t) => {
  const codes = Array.from({ length: 200 }, () => generateClaimCode())
  for (const code of codes) t.match(code, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
  t.equal(new Set(codes).size, codes.length, 'no code repeats')
  t.end()
})

void t.test('a typed code is read without regard to case, spaces around it and the dash', (t) => {
  for (const text of ['ABCD-EFGH', 'abcd-efgh', ' ABCDEFGH\n', 'AbCdEfGh'])
    t.equal(normalizeClaimCode(text), 'ABCD-EFGH', text)
  for (const text of [
    '',
    'ABCD-EFG',
    'ABCD-EFGHJ',
    'ABCD--EFGH',
    'ABCI-EFGH',
    'ABC0-EFGH',
    'ABCD EFGH',
    `${' '.repeat(50)}ABCD-EFGH`,
  ]) {
    t.equal(normalizeClaimCode(text), undefined, text)
  }
  t.end()
})

void t.test('a hub is named by its origin only', (t) => {
  t.equal(parseHubOrigin('https://hub.example.org/'), 'https://hub.example.org')
  t.equal(parseHubOrigin(' http://10.0.0.5:8800 '), 'http://10.0.0.5:8800')
  for (const text of [
    '',
    'hub.example.org',
    'ftp://hub.example.org',
    'https://a@hub.example.org',
    'https://hub.example.org/path',
    'https://hub.example.org?x',
    'https://hub.example.org#x',
    'https://hub\\evil.example.org',
    `https://${'a'.repeat(400)}`,
    'javascript:alert(1)',
  ]) {
    t.equal(parseHubOrigin(text), undefined, text)
  }
  t.end()
})

void t.test('of a key set only whole Ed25519 keys are read', (t) => {
  const x = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''
  const good = { kty: 'OKP', crv: 'Ed25519', kid: 'a', x }
  t.strictSame(parsePublicKeys({ keys: [good, { kty: 'RSA', n: 'x' }] }), [{ kid: 'a', x }])
  const bad: unknown[] = [
    undefined,
    {},
    { keys: 'x' },
    { keys: [] },
    { keys: [{ ...good, crv: 'X25519' }] },
    { keys: [{ ...good, kid: 'a b' }] },
    { keys: [{ ...good, kid: '../../etc/passwd' }] },
    { keys: [{ ...good, kid: 'a'.repeat(65) }] },
    { keys: [{ ...good, x: `${x.slice(0, -1)}_` }] },
    { keys: [{ ...good, x: 'short' }] },
    { keys: [good, good, good, good, good] },
  ]
  for (const value of bad) t.equal(parsePublicKeys(value), undefined, JSON.stringify(value))
  t.end()
})

void t.test('a proof is valid for its purpose, hub, subject and key, for some minutes', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = { kid: 'k', x: publicKey.export({ format: 'jwk' }).x ?? '' }
  const other = { kid: 'k', x: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '' }
  const now = new Date('2026-03-01T12:00:00Z')
  const seconds = now.getTime() / 1000
  const input = { purpose: 'renewal', audience: 'https://hub.example.org', subject: 'server', now } as const
  const sign = (nowSeconds: number) => signKeyProof({ kid: 'k', privateKey }, { ...input, nowSeconds })
  const proof = await sign(seconds)
  const read = (more: object, text = proof) => verifyKeyProof(text, { keys: [key], ...input, ...more })
  t.match(await read({}), { kid: 'k', issuedAt: seconds })
  t.equal(await read({ purpose: 'claim' }), undefined, 'another purpose')
  t.equal(await read({ audience: 'https://evil.example.org' }), undefined, 'another hub')
  t.equal(await read({ subject: 'other' }), undefined, 'another server')
  t.equal(await read({ keys: [other] }), undefined, 'another key with the same id')
  t.equal(await read({ keys: [] }), undefined, 'an unknown key')
  t.equal(await read({}, 'x'.repeat(5000)), undefined, 'a long text')
  t.equal(await read({}, `${proof.slice(0, -2)}AA`), undefined, 'a changed signature')
  for (const skew of [-290, 290]) t.ok(await read({}, await sign(seconds + skew)), `the clock differs by ${skew} s`)
  for (const skew of [-600, 600]) t.notOk(await read({}, await sign(seconds + skew)), `the clock differs by ${skew} s`)
})
