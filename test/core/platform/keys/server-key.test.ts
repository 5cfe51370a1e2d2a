import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { generateKeyBlock, parseServerKey, publicJwk } from '../../../../src/core/platform/keys/server-key.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const x = publicKey.export({ format: 'jwk' }).x ?? ''
const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url').toString('base64')
const der = privateKey.export({ format: 'der', type: 'pkcs8' })
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const [BEGIN, END] = ['-----BEGIN PHLIX ED25519 PRIVATE KEY-----', '-----END PHLIX ED25519 PRIVATE KEY-----']
const block = (...lines: string[]): string => `${[BEGIN, ...lines, END].join('\n')}\n`
/** The public half: the private one is an object without comparable content. */
function publicHalf(bytes: Buffer) {
  const key = parseServerKey(bytes)
  return key === undefined ? undefined : { kid: key.kid, x: key.x, createdAt: key.createdAt }
}

const parse = (text: string) => publicHalf(Buffer.from(text))
const thumbprint = createHash('sha256')
  .update(Buffer.from(x, 'base64url'))
  .digest()
  .subarray(0, 8)
  .toString('base64url')

void t.test('a PKCS#8 key is read as PEM and as DER, and is named by its thumbprint', (t) => {
  const expected = { kid: thumbprint, x, createdAt: null }
  t.strictSame(parse(pem), expected)
  t.strictSame(parse(pem.replaceAll('\n', '\r\n')), expected)
  t.strictSame(publicHalf(der), expected)
  t.match(thumbprint, /^[\w-]{11}$/)
  t.end()
})

void t.test('the key format of the product is parsed with and without a key id', (t) => {
  t.strictSame(parse(block(seed)), { kid: thumbprint, x, createdAt: null })
  const kid = '2026-11-21T14:45:00Z'
  t.strictSame(parse(block(`kid: ${kid}`, seed)), { kid, x, createdAt: new Date(kid) })
  t.strictSame(parse(block(`kid: ${kid}`, seed).replaceAll('\n', '\r\n')), { kid, x, createdAt: new Date(kid) })
  t.end()
})

void t.test('a generated key can be parsed', (t) => {
  const [one, other] = [generateKeyBlock('2026-11-21T14:45:00.123Z'), generateKeyBlock('2026-11-21T14:45:00.123Z')]
  t.match(parse(one), { kid: '2026-11-21T14:45:00.123Z', x: /^[\w-]{43}$/ })
  t.not(parse(one)?.x, parse(other)?.x, 'each has a key of its own')
  t.end()
})

void t.test('the public form has no private part', (t) => {
  const jwk = publicJwk({ kid: thumbprint, x, createdAt: null })
  t.strictSame(jwk, { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint, use: 'sig', alg: 'EdDSA' })
  t.strictSame(createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'jwk' }).x, x)
  t.strictSame(createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' }).x, x)
  t.end()
})

const other = (type: 'rsa' | 'ec' | 'x25519' | 'ed448'): Buffer => {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : type === 'x25519'
          ? generateKeyPairSync('x25519')
          : generateKeyPairSync('ed448')
  return Buffer.from(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }))
}

const kid = 'kid: 2026-11-21T14:45:00Z'
const HOSTILE: readonly (readonly [string, Buffer | string])[] = [
  ['nothing', ''],
  ['zeros', Buffer.alloc(64)],
  ['high bytes', Buffer.alloc(16_384, 0xff)],
  ['a text', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKHEChn4bQ8'],
  ['an RSA key', other('rsa')],
  ['an EC key', other('ec')],
  ['an X25519 key', other('x25519')],
  ['an Ed448 key', other('ed448')],
  ['a public key', publicKey.export({ format: 'pem', type: 'spki' }).toString()],
  ['an encrypted key', privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' })],
  ['a cut key', pem.slice(0, 60)],
  ['cut DER', der.subarray(0, -1)],
  ['two keys', `${pem}${pem}`],
  ['two blocks', block(seed) + block(seed)],
  ['text before a block', `x\n${block(seed)}`],
  ['text after a block', `${block(seed)}x`],
  ['a short seed', block(seed.slice(4))],
  ['a long seed', block(`AAAA${seed}`)],
  ['a seed with spare bits', block(`${'A'.repeat(42)}B=`)],
  ['a seed in base64url', block(`${'A'.repeat(41)}-A=`)],
  ['an empty block', block('')],
  ['a name after the seed', block(seed, kid)],
  ['two names', block(kid, kid, seed)],
  ['an empty name', block('kid: ', seed)],
  ['a name that is a path', block('kid: ../../../etc/passwd', seed)],
  ['a name that is no time', block('kid: 2026-99-99T99:99:99Z', seed)],
  ['a name that is a date', block('kid: 2026-11-21', seed)],
  ['an unknown line', block('use: sig', seed)],
  ['a name of many digits', block(`kid: ${'2'.repeat(15_000)}Z`, seed)],
  ['many lines', `${BEGIN}\n`.repeat(300)],
  ['a PEM of nothing', '-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----\n'],
  ['a PEM of many lines', `-----BEGIN PRIVATE KEY-----\n${'AAAA\n'.repeat(3000)}`],
  ['a NUL', block(seed).replace(seed, `${seed.slice(0, 20)}\0${seed.slice(21)}`)],
]

void t.test('other input is no key, and causes no exception', (t) => {
  for (const [claim, bytes] of HOSTILE) t.equal(parseServerKey(Buffer.from(bytes)), undefined, claim)
  t.end()
})
