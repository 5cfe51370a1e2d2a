import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { createShareCookies } from '../../../src/core/shares/share-cookie.ts'
import { generateToken, computeTokenDigest, isTokenText } from '../../../src/core/shares/share-token.ts'
import { hasBrowserPlayableExtension } from '../../../src/core/shares/browser-playable-extension.ts'

void t.test('a cookie is valid for its link and no other, and with its secret only', async (t) => {
  const secret = randomBytes(32)
  const cookies = createShareCookies({ secret })
  const [one, other] = [randomUUID(), randomUUID()]
  const cookie = cookies.issue(one)
  t.equal(cookies.browserOf(cookie, one), cookie.slice(0, 16))
  t.equal(cookies.browserOf(cookie, one.toUpperCase()), cookie.slice(0, 16))
  t.equal(cookies.browserOf(cookie, other), undefined)
  t.equal(createShareCookies({ secret: randomBytes(32) }).browserOf(cookie, one), undefined)
  for (const text of [
    '',
    'x',
    `${cookie}x`,
    cookie.slice(1),
    `${cookie} `,
    `${cookie}\n`,
    '\u0000',
    'a'.repeat(100_000),
  ]) {
    t.equal(cookies.browserOf(text, one), undefined, JSON.stringify(text.slice(0, 50)))
  }
  for (let place = 0; place < cookie.length; place += 1) {
    const letter = cookie[place] === 'A' ? 'B' : 'A'
    t.equal(cookies.browserOf(`${cookie.slice(0, place)}${letter}${cookie.slice(place + 1)}`, one), undefined)
  }
})

void t.test('a cookie of before browsers had names is still valid for its link', async (t) => {
  const secret = randomBytes(32)
  const label = 'phlix-share-pass-v1'
  const key = Buffer.from(hkdfSync('sha256', secret, '', label, 32))
  const id = randomUUID()
  const cookie = createHmac('sha256', key).update(`${label}\n${id}`).digest('base64url')
  const cookies = createShareCookies({ secret })
  t.type(cookies.browserOf(cookie, id), 'string')
  t.equal(cookies.browserOf(cookie, randomUUID()), undefined)
  t.equal(createShareCookies({ secret: randomBytes(32) }).browserOf(cookie, id), undefined)
})

void t.test('each browser has a name of its own', async (t) => {
  const cookies = createShareCookies({ secret: randomBytes(32) })
  const id = randomUUID()
  const names = Array.from({ length: 100 }, () => cookies.browserOf(cookies.issue(id), id))
  t.equal(new Set(names).size, 100)
})

void t.test('tokens have 256 bits, and only texts of their form are looked up', async (t) => {
  const tokens = Array.from({ length: 100 }, () => generateToken())
  t.equal(new Set(tokens.map(({ token }) => token)).size, 100)
  for (const { token, digest } of tokens) {
    t.equal(Buffer.from(token, 'base64url').length, 32)
    t.ok(isTokenText(token) && computeTokenDigest(token).equals(digest))
  }
  for (const text of [
    '',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(43)}\n`,
    'a'.repeat(100_000),
  ])
    t.notOk(isTokenText(text), JSON.stringify(text.slice(0, 50)))
})

void t.test('files that browsers play are known by their ending', async (t) => {
  for (const path of ['/a/b.mp4', 'B.WEBM', '/x/song.mp3']) t.ok(hasBrowserPlayableExtension(path), path)
  for (const path of ['/a/b.mkv', '/mp4', '/a.mp4/b', 'x.mp4.exe', '']) t.notOk(hasBrowserPlayableExtension(path), path)
})
