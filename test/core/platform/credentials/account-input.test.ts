import t from 'tap'
import {
  isPossibleAccountName,
  checkAccountInput,
  passwordProblem,
  type AccountInput,
} from '../../../../src/core/platform/credentials/account-input.ts'

const GOOD = { username: 'ada', email: 'ada@example.org', password: 'correct horse' }

const BAD: [claim: string, input: AccountInput, field: string, problem: string][] = [
  ['a missing username is named', { ...GOOD, username: undefined }, 'username', 'is required'],
  ['a username that is a number is not text', { ...GOOD, username: 123 }, 'username', 'is required'],
  [
    'two characters are too short for a username',
    { ...GOOD, username: 'ab' },
    'username',
    'must be 3 to 50 characters long',
  ],
  ['51 characters are too long', { ...GOOD, username: 'a'.repeat(51) }, 'username', 'must be 3 to 50 characters long'],
  [
    'a line break in a username is refused',
    { ...GOOD, username: 'a\nERROR b' },
    'username',
    'must not contain invisible characters',
  ],
  [
    'U+0000 in a username is refused',
    { ...GOOD, username: 'ada\0' },
    'username',
    'must not contain invisible characters',
  ],
  [
    'a right-to-left override is refused',
    { ...GOOD, username: 'a\u202Eda' },
    'username',
    'must not contain invisible characters',
  ],
  [
    'half a surrogate pair is refused',
    { ...GOOD, username: 'ada\uD800' },
    'username',
    'must not contain invisible characters',
  ],
  ['a leading space is refused', { ...GOOD, username: ' ada' }, 'username', 'must not start or end with a space'],
  [
    'a username cannot be an e-mail address',
    { ...GOOD, username: 'eve@example.org' },
    'username',
    'must not contain @',
  ],
  ['an address needs an @', { ...GOOD, email: 'ada.example.org' }, 'email', 'must be an e-mail address'],
  ['an address has one @', { ...GOOD, email: 'a@b@c.org' }, 'email', 'must be an e-mail address'],
  ['an address has no spaces', { ...GOOD, email: 'a b@c.org' }, 'email', 'must be an e-mail address'],
  [
    'an address longer than 254 characters is refused',
    { ...GOOD, email: `a@${'b'.repeat(60)}.${'c.'.repeat(100)}org` },
    'email',
    'must be an e-mail address',
  ],
  [
    'seven characters are too short for a password',
    { ...GOOD, password: '1234567' },
    'password',
    'must be at least 8 characters long',
  ],
  [
    'four emoji are four characters',
    { ...GOOD, password: '😀😀😀😀' },
    'password',
    'must be at least 8 characters long',
  ],
  [
    '1,025 bytes are too long for a password',
    { ...GOOD, password: 'a'.repeat(1025) },
    'password',
    'must be at most 1024 bytes long',
  ],
]

void t.test('rules for usernames, addresses and passwords', (t) => {
  for (const [claim, input, field, problem] of BAD) {
    t.strictSame(checkAccountInput(input), { problems: { [field]: problem } }, claim)
  }
  t.strictSame(Object.keys((checkAccountInput({}) as { problems: object }).problems), ['username', 'email', 'password'])
  t.end()
})

void t.test('valid input', (t) => {
  for (const email of ['a@b', 'admin@localhost', 'first.last+tag@mail.example.co.uk', 'jörg@müller.de']) {
    t.match(checkAccountInput({ ...GOOD, email }), { email }, email)
  }
  for (const username of ['abc', 'Zoë', 'two words', '名前二', 'a'.repeat(50)]) {
    t.match(checkAccountInput({ ...GOOD, username }), { username: username.normalize('NFC') }, username)
  }
  t.match(checkAccountInput({ ...GOOD, username: 'zoe\u0308' }), { username: 'zoë' }, 'names are stored in NFC')
  t.equal(passwordProblem('a'.repeat(1024)), undefined, '1,024 bytes are allowed')
  t.end()
})

void t.test('an impossible name is rejected without a query', (t) => {
  t.notOk(isPossibleAccountName('a\0b'))
  t.notOk(isPossibleAccountName(''))
  t.notOk(isPossibleAccountName('a'.repeat(10_000)))
  t.ok(isPossibleAccountName("admin' --"))
  t.end()
})

void t.test('a malicious address is checked in time linear in its length', (t) => {
  t.match(checkAccountInput({ ...GOOD, email: `a@${'a-.'.repeat(80)}!` }), {
    problems: { email: 'must be an e-mail address' },
  })
  t.end()
})
