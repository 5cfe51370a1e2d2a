import t from 'tap'
import { validateClaims } from '../../../src/daemon/http/tokens.ts'

const NOW = 1_700_000_000
const GOOD = {
  iss: 'phlix',
  sub: '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11',
  iat: NOW - 10,
  exp: NOW + 10,
  jti: 'a'.repeat(32),
  type: 'access',
  sid: '5f0c1c9e-9d0f-4c62-8a51-6a3f1f0c110b',
}

const verdict = (changes: object): string | undefined => validateClaims({ ...GOOD, ...changes }, 'access', NOW)

void t.test('a payload with valid claims is accepted', (t) => {
  t.equal(verdict({}), undefined)
  t.equal(verdict({ nbf: NOW }), undefined)
  t.equal(verdict({ is_admin: true }), undefined, 'further claims mean nothing')
  t.end()
})

void t.test('a token ends in the second of exp and may begin at most 60 s ahead of our clock (JWT-17)', (t) => {
  t.equal(verdict({ exp: NOW + 1 }), undefined)
  t.match(verdict({ exp: NOW }), /expired/)
  t.match(verdict({ exp: NOW - 1 }), /expired/)
  t.equal(verdict({ iat: NOW + 60 }), undefined)
  t.match(verdict({ iat: NOW + 61 }), /future/)
  t.end()
})

const BAD: [claim: string, changes: object][] = [
  ['no exp', { exp: undefined }],
  ['exp as text', { exp: String(NOW + 10) }],
  ['negative exp', { exp: -1 }],
  ['infinite exp', { exp: Number.POSITIVE_INFINITY }],
  ['fractional exp', { exp: NOW + 10.5 }],
  ['nbf in the future', { nbf: NOW + 3600 }],
  ['nbf as text', { nbf: '0' }],
  ['no iat', { iat: undefined }],
  ['iat an hour ahead', { iat: NOW + 3600 }],
  ['no jti', { jti: undefined }],
  ['empty jti', { jti: '' }],
  ['another issuer', { iss: 'other' }],
  ['no issuer', { iss: undefined }],
  ['another type', { type: 'refresh' }],
  ['no type', { type: undefined }],
  ['no session', { sid: undefined }],
  ['a session that is no UUID', { sid: 'all' }],
  ['sessions in an array', { sid: [GOOD.sub] }],
  ['sub an array', { sub: [GOOD.sub] }],
  ['sub an object', { sub: { id: GOOD.sub } }],
  ['sub a number', { sub: 1 }],
  ['sub not a UUID', { sub: 'admin' }],
  ['sub with something behind it', { sub: `${GOOD.sub}\n` }],
]

void t.test('every other payload is refused (JWT-05, JWT-06, JWT-07)', (t) => {
  for (const [claim, changes] of BAD) t.type(verdict(changes), 'string', claim)
  for (const payload of [null, undefined, 'text', 5, []]) t.type(validateClaims(payload, 'access', NOW), 'string')
  t.end()
})
