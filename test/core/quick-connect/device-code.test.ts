import t from 'tap'
import {
  generateDeviceCode,
  generateDeviceSecret,
  matchesSecretDigest,
  normalizeDeviceCode,
} from '../../../src/core/quick-connect/device-code.ts'

void t.test('a code is eight consonants that are not mistaken for others', async (t) => {
  const codes = Array.from({ length: 2000 }, generateDeviceCode)
  for (const code of codes) t.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  t.equal(new Set(codes).size, codes.length)
  t.equal(new Set(codes.join('')).size, 20, 'each letter is used')
})

void t.test('a code is read as people type it, and nothing else is', async (t) => {
  for (const text of ['BCDFGHJK', 'bcdfghjk', ' bcdf-ghjk ', 'b c d f g h j k'])
    t.equal(normalizeDeviceCode(text), 'BCDFGHJK')
  const others = [
    '',
    'BCDFGHJ',
    'BCDFGHJKL',
    'ABCDFGHJ',
    'BCDFGHJ1',
    'ＢCDFGHJK',
    'BCDFGHJ\0',
    `BCDFGHJK${' '.repeat(99)}`,
  ]
  for (const text of others) t.equal(normalizeDeviceCode(text), undefined, text)
})

void t.test('a secret has 256 bits and fits its digest only', async (t) => {
  const { secret, digest } = generateDeviceSecret()
  t.match(secret, /^[\w-]{43}$/)
  t.ok(matchesSecretDigest(digest, secret))
  for (const other of ['', secret.slice(1), `${secret}A`, generateDeviceSecret().secret])
    t.notOk(matchesSecretDigest(digest, other))
})
