import { randomUUID } from 'node:crypto'
import t from 'tap'
import { guestCookie, readGuestCookie } from '../../../src/daemon/http/guest-cookie.ts'

void t.test(
  'the cookie of a link is for the paths of guests only, and scripts and other sites do not use it',
  async (t) => {
    const id = randomUUID()
    const expiresAt = new Date('2026-01-02T03:04:05Z')
    const cookie = guestCookie({ id, cookie: 'abc', expiresAt, isSecure: false })
    t.equal(cookie, `phlix-share-${id}=abc; Path=/s/; Expires=Fri, 02 Jan 2026 03:04:05 GMT; HttpOnly; SameSite=Strict`)
    t.match(guestCookie({ id, cookie: 'abc', expiresAt, isSecure: true }), /; Secure$/)
  },
)

void t.test('a cookie is read under the name of its link; one that comes twice is not used', async (t) => {
  const [id, other] = [randomUUID(), randomUUID()]
  const name = `phlix-share-${id}`
  t.equal(readGuestCookie(`a=b; ${name}=abc; c=d`, id), 'abc')
  t.equal(readGuestCookie(`${name}=abc`, id.toUpperCase()), 'abc')
  t.equal(readGuestCookie(`${name}=abc`, other), undefined)
  t.equal(readGuestCookie(`${name}=abc; ${name}=def`, id), undefined)
  t.equal(readGuestCookie(`x${name}=abc`, id), undefined)
  t.equal(readGuestCookie(undefined, id), undefined)
  for (const text of ['', '=', ';;;', name, 'a'.repeat(100_000), ';'.repeat(100_000)])
    t.equal(readGuestCookie(text, id), undefined)
  for (const share of ['', '..', '.*', `${id}\n`, '%2e'])
    t.equal(readGuestCookie(`phlix-share-${share}=abc`, share), undefined)
})
