import t from 'tap'
import { createPasswordHashing, HASHING_COST } from '../../../../src/core/platform/credentials/password-hashing.ts'
import {
  generatePassword,
  hashPassword,
  unknownAccountHash,
  verifyPassword,
} from '../../../../src/core/platform/credentials/password.ts'

const hashing = createPasswordHashing()

void t.test('a hash is a PHC string with the current parameters and a unique salt', async (t) => {
  const [one, other] = await Promise.all([
    hashPassword(hashing, 'correct horse'),
    hashPassword(hashing, 'correct horse'),
  ])
  t.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  t.not(one, other)
  t.ok(await verifyPassword(hashing, 'correct horse', one))
  t.notOk(await verifyPassword(hashing, 'correct horsE', one))
})

void t.test('an unknown account is checked against a hash with the same parameters and sizes', async (t) => {
  const parts = (hash: string): unknown[] => hash.split('$').map((part, index) => (index < 4 ? part : part.length))
  t.strictSame(parts(unknownAccountHash(HASHING_COST)), parts(await hashPassword(hashing, 'correct horse')))
})

void t.test('no two passwords are equal by truncation', async (t) => {
  const long = 'x'.repeat(1000)
  const hash = await hashPassword(hashing, `${long}a`)
  t.notOk(await verifyPassword(hashing, `${long}b`, hash), 'beyond byte 72')
  t.notOk(await verifyPassword(hashing, 'secret12', await hashPassword(hashing, 'secret12\0tail')), 'beyond U+0000')
})

void t.test('hashes with other parameters can be checked, so that the parameters can change', async (t) => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 24
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  t.ok(await verifyPassword(hashing, 'password', stored))
})

void t.test('a stored text that is no hash matches no password', async (t) => {
  for (const stored of ['', 'plain', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=1,t=1,p=1$$']) {
    t.notOk(await verifyPassword(hashing, 'plain', stored), stored)
  }
  t.notOk(await verifyPassword(hashing, '', undefined), 'an unknown account')
})

void t.test('many concurrent hashes all complete', async (t) => {
  const hashes = await Promise.all(Array.from({ length: 10 }, (_, index) => hashPassword(hashing, `password ${index}`)))
  t.equal(new Set(hashes).size, 10)
  t.ok(await verifyPassword(hashing, 'password 7', hashes[7]))
})

void t.test('a generated password has 24 symbols of 32, which are 120 bits', (t) => {
  const passwords = new Set(Array.from({ length: 100 }, generatePassword))
  t.equal(passwords.size, 100)
  for (const password of passwords) t.match(password, /^[a-hjkmnp-tv-z0-9]{6}(-[a-hjkmnp-tv-z0-9]{6}){3}$/)
  t.end()
})
