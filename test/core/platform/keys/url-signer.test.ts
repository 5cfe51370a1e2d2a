import crypto, { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import t from 'tap'
import {
  createUrlSigner,
  parseGrantOfSignature,
  parsePolicyOfSignature,
} from '../../../../src/core/platform/keys/index.ts'
import { type Clock } from '../../../../src/core/platform/time/index.ts'

const SECRET = Buffer.from('a secret of at least thirty-two bytes')
const NOW = 1_800_000_000
const RESOURCE = '/hls/0b7e/'

const clockAt = (seconds: number): Clock => ({
  now: () => new Date(seconds * 1000),
  unixSeconds: () => seconds,
  monotonicMilliseconds: () => 0,
})

const signerAt = (seconds: number, secret = SECRET) => createUrlSigner({ secret, clock: clockAt(seconds) })
const signer = signerAt(NOW)
const { exp, sig } = signer.sign(RESOURCE)
const EXP = String(exp)

void t.test('a signature is the documented HMAC over label, resource and expiry', (t) => {
  const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'phlix-signed-url-v1', 32))
  const expected = createHmac('sha256', key).update(`phlix-signed-url-v1\n${RESOURCE}\n${NOW + 21_600}`)
  t.strictSame({ exp, sig }, { exp: NOW + 21_600, sig: expected.digest('base64url') })
  t.equal(signer.verify(RESOURCE, EXP, sig), 'valid')
  t.end()
})

void t.test('a signature expires to the second, after six hours or as requested', (t) => {
  t.equal(signerAt(exp - 1).verify(RESOURCE, EXP, sig), 'valid')
  t.equal(signerAt(exp).verify(RESOURCE, EXP, sig), 'expired')
  t.equal(signerAt(exp + 1).verify(RESOURCE, EXP, sig), 'expired')
  t.equal(signer.sign(RESOURCE, 60).exp, NOW + 60)
  t.end()
})

const OTHER_EXPIRIES: [claim: string, exp: unknown][] = [
  ['one second more', String(exp + 1)],
  ['one second less', String(exp - 1)],
  ['sixteen digits', '9999999999999999'],
  ['an exponent', '1e10'],
  ['hexadecimal', `0x${exp.toString(16)}`],
  ['a leading space', ` ${EXP}`],
  ['a trailing line feed', `${EXP}\n`],
  ['a leading zero', `0${EXP}`],
  ['a fraction', `${EXP}.0`],
  ['a plus sign', `+${EXP}`],
  ['digits of another script', '१८००००००००'],
  ['given twice', [EXP, EXP]],
  ['a number', exp],
  ['empty', ''],
  ['missing', undefined],
]

void t.test('SU-03: an expiry that was not signed, or has another notation, is refused', (t) => {
  for (const [claim, other] of OTHER_EXPIRIES) t.equal(signer.verify(RESOURCE, other, sig), 'invalid', claim)
  t.end()
})

const flipCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** The last of 43 characters has two unused bits: three other texts decode to the same bytes. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const sameBytes = ALPHABET.split('')
  .map((last) => sig.slice(0, 42) + last)
  .filter((text) => text !== sig && Buffer.from(text, 'base64url').equals(Buffer.from(sig, 'base64url')))

const OTHER_SIGNATURES: [claim: string, sig: unknown][] = [
  ['missing', undefined],
  ['empty', ''],
  ['one character short', sig.slice(0, -1)],
  ['one character long', `${sig}A`],
  ['padded', `${sig}=`],
  ['other case', flipCase(sig)],
  ['standard alphabet', `${'+/'.repeat(21)}A`],
  ['not ASCII', 'é'.repeat(43)],
  ['a megabyte', 'A'.repeat(1_000_000)],
  ['all zeros', 'A'.repeat(43)],
  ['given twice', [sig, sig]],
  ['a line feed at the end', `${sig}\n`],
  ['an object', { length: 43 }],
]

void t.test('SU-04: a signature of any other form is refused without an exception', (t) => {
  for (const [claim, other] of OTHER_SIGNATURES) t.equal(signer.verify(RESOURCE, EXP, other), 'invalid', claim)
  t.equal(sameBytes.length, 3)
  for (const text of sameBytes) t.equal(signer.verify(RESOURCE, EXP, text), 'invalid', 'other text of the same bytes')
  t.end()
})

const OTHER_RESOURCES = [
  '/hls/0b7e',
  '/hls/0b7/',
  '/hls/0b7ed/',
  '/HLS/0b7e/',
  '/media/0b7e/stream',
  '/trickplay/0b7e/',
  '//hls/0b7e/',
  '/hls//0b7e/',
  '/hls/0b7e//',
  '/hls/./0b7e/',
  '/hls/x/../0b7e/',
  '/hls/0b7e/..',
  'hls/0b7e/',
  '',
  '/hls\\0b7e/',
  '/hls/0b7e/\u0000',
  '/hls/0b7e/?x',
  `/hls/0b7e/\n${EXP}`,
]

void t.test('SU-01, SU-02: a signature is valid for its own resource only', (t) => {
  for (const other of OTHER_RESOURCES) t.equal(signer.verify(other, EXP, sig), 'invalid', JSON.stringify(other))
  t.end()
})

void t.test('SU-12: another secret creates other signatures', (t) => {
  t.equal(signerAt(NOW, Buffer.from('another secret')).verify(RESOURCE, EXP, sig), 'invalid')
  t.end()
})

void t.test('a path that has several spellings is not signed', (t) => {
  for (const path of ['', '/', 'x', '//x', '/x/../y', '/x/./y', '/x//y', '/x\\y', '/x\ny', '/x?y', '/x#y']) {
    t.throws(() => signer.sign(path), RangeError, JSON.stringify(path))
  }
  t.end()
})

void t.test('a signed URL has its path escaped, and its decoded parameters verify', (t) => {
  const path = '/art/AC DC & friends/100%/é.jpg'
  const url = new URL(signer.signUrl(path), 'http://host')
  t.equal(decodeURIComponent(url.pathname), path)
  t.equal(signer.verify(path, url.searchParams.get('exp'), url.searchParams.get('sig')), 'valid')
  const master = new URL(signer.signUrl('/hls/0b7e/master.m3u8', RESOURCE), 'http://host')
  t.equal(master.pathname, '/hls/0b7e/master.m3u8')
  t.equal(
    signer.verify(RESOURCE, master.searchParams.get('exp'), master.searchParams.get('sig')),
    'valid',
    'of the folder',
  )
  t.end()
})

void t.test('a signer with a latest expiry signs nothing beyond it', (t) => {
  const latest = NOW + 100
  const ending = signer.until(latest)
  const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'phlix-signed-url-v1', 32))
  const expected = createHmac('sha256', key).update(`phlix-signed-url-v1\n${RESOURCE}\n${latest}`).digest('base64url')
  t.strictSame(ending.sign(RESOURCE), { exp: latest, sig: expected })
  t.strictSame(ending.signForHour(RESOURCE), { exp: latest, sig: expected })
  t.strictSame(ending.signForDay(RESOURCE), { exp: latest, sig: expected })
  t.match(ending.signUrl(RESOURCE), `?exp=${latest}&sig=${expected}`)
  t.equal(ending.hourExpiry(), latest)
  t.equal(ending.dayExpiry(), latest)
  t.equal(ending.sign(RESOURCE, 60).exp, NOW + 60, 'an earlier expiry is unchanged')
  t.equal(ending.until(NOW + 500).sign(RESOURCE).exp, latest, 'the expiry cannot be extended')
  t.equal(ending.verify(RESOURCE, String(latest), expected), 'valid')
  t.equal(ending.verify(RESOURCE, EXP, sig), 'valid', 'it accepts signatures of the original signer')
  t.strictSame(signer.sign(RESOURCE), { exp, sig }, 'the original signer is unchanged')
  t.strictSame(signer.until(exp + 1000).sign(RESOURCE), { exp, sig }, 'a late end changes nothing')
  t.end()
})

void t.test('the signature of a picture is the same all day, and valid for at least 6 and at most 30 hours', (t) => {
  const midnight = NOW - (NOW % 86_400)
  const first = signerAt(midnight).signForDay(RESOURCE)
  t.equal(first.exp, midnight + 30 * 3600)
  for (const seconds of [1, 3600, 43_200, 86_399]) {
    t.strictSame(signerAt(midnight + seconds).signForDay(RESOURCE), first, `${seconds} s after midnight`)
  }
  t.equal(signerAt(midnight + 86_400).signForDay(RESOURCE).exp, first.exp + 86_400)
  t.equal(signerAt(first.exp - 1).verify(RESOURCE, String(first.exp), first.sig), 'valid')
  t.equal(signerAt(first.exp).verify(RESOURCE, String(first.exp), first.sig), 'expired')
  t.end()
})

void t.test('SU-10: a guess is compared completely and in constant time', (t) => {
  const right = `${sig.slice(0, 42)}${sig.endsWith('A') ? 'Q' : 'A'}`
  const wrong = `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`
  const compare = crypto.timingSafeEqual
  const compared: string[][] = []
  crypto.timingSafeEqual = (one, other) => {
    compared.push([one, other].map((bytes) => Buffer.from(bytes as Uint8Array).toString()))
    return compare(one, other)
  }
  t.teardown(() => {
    crypto.timingSafeEqual = compare
    syncBuiltinESMExports()
  })
  syncBuiltinESMExports()
  for (const guess of [right, wrong]) t.equal(signer.verify(RESOURCE, EXP, guess), 'invalid')
  t.strictSame(compared, [
    [sig, right],
    [sig, wrong],
  ])
  t.end()
})

void t.test('an address for a limited account names its policy, which cannot be removed or replaced', (t) => {
  const limited = signer.forPolicy(7)
  const { exp: until, sig: signature } = limited.sign(RESOURCE)
  t.match(signature, /^[\w-]{43}\.7$/)
  t.equal(parsePolicyOfSignature(signature), 7)
  t.equal(parsePolicyOfSignature(sig), null)
  t.equal(signer.verify(RESOURCE, String(until), signature), 'valid', 'every signer verifies it')
  t.equal(limited.verify(RESOURCE, EXP, sig), 'valid')
  const [code = ''] = signature.split('.')
  for (const other of [
    code,
    `${code}.8`,
    `${code}.77`,
    `${code}.07`,
    `${code}.`,
    `${code}.-7`,
    `${code}.7.7`,
    `${sig}.7`,
    `${code}.${'7'.repeat(11)}`,
  ]) {
    t.equal(signer.verify(RESOURCE, String(until), other), 'invalid', other)
  }
  t.match(limited.signUrl('/media/x'), /&sig=[\w-]{43}\.7$/)
  t.match(limited.signForDay(RESOURCE).sig, /\.7$/)
  t.match(limited.until(NOW + 1).sign(RESOURCE).sig, /\.7$/, 'a shorter validity does not lose it')
  t.end()
})

void t.test('an address that needs a grant is valid only with one of this server', (t) => {
  const granting = signer.forPolicy(7).withGrants()
  const grant = { kind: 's', id: randomUUID() } as const
  const signed = granting.sign(RESOURCE)
  const withGrant = signed.sig.replace(granting.grantMark, granting.grantText(grant))
  t.match(withGrant, /^[\w-]{88}\.7$/)
  t.strictSame(parseGrantOfSignature(withGrant), grant)
  t.equal(parsePolicyOfSignature(withGrant), 7)
  const isValid = (text: string) => signer.verify(RESOURCE, String(signed.exp), text)
  t.equal(isValid(withGrant), 'valid')
  const [code, text] = [withGrant.slice(0, 43), withGrant.slice(43, 88)]
  const foreign = signerAt(NOW, Buffer.from('another secret of at least thirty-two')).grantText(grant)
  const flip = (at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  for (const [claim, other] of [
    ['not replaced', signed.sig],
    ['removed', `${code}.7`],
    ['of another server', `${code}${foreign}.7`],
    ['another kind', `${code}k${text.slice(1)}.7`],
    ['an unknown kind', `${code}z${text.slice(1)}.7`],
    ['another session', `${code}${flip(3)}.7`],
    ['another code', `${code}${flip(40)}.7`],
    ['shorter', `${code}${text.slice(0, -1)}.7`],
    ['longer', `${code}${text}A.7`],
    ['twice', `${code}${text}${text}.7`],
    ['another policy', `${code}${text}.8`],
    ['no policy', `${code}${text}`],
  ] as const) {
    t.equal(isValid(other), 'invalid', claim)
  }
  t.equal(signer.verify(RESOURCE, EXP, `${sig}${text}`), 'invalid', 'a grant cannot be added')
  for (const picture of [granting.signForDay(RESOURCE), granting.signForHour(RESOURCE)]) {
    t.match(picture.sig, /^[\w-]{43}\.7$/, 'pictures need none')
  }
  t.match(granting.withoutGrants().sign(RESOURCE).sig, /^[\w-]{43}\.7$/)
  t.match(granting.until(NOW + 1).sign(RESOURCE).sig, /^[\w-]{88}\.7$/)
  t.equal(parseGrantOfSignature('x'.repeat(88)), null)
  t.end()
})
