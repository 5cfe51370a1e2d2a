import t from 'tap'
import {
  expiredWebSessionCookie,
  readWebSessionCookie,
  webSessionCookie,
} from '../../../src/daemon/http/web-session-cookie.ts'

void t.test('the cookie is for one path and for no script; with TLS it has the prefix that only TLS can set', (t) => {
  const scope = 'Path=/api/v1/auth/web; Max-Age=60; HttpOnly; SameSite=Strict'
  t.equal(webSessionCookie({ token: 'a.b.c', maxAgeSeconds: 60, isSecure: false }), `phlix=a.b.c; ${scope}`)
  t.equal(
    webSessionCookie({ token: 'a.b.c', maxAgeSeconds: 60, isSecure: true }),
    `__Secure-phlix=a.b.c; ${scope}; Secure`,
  )
  t.equal(expiredWebSessionCookie(false), `phlix=; ${scope.replace('60', '0')}`)
  t.end()
})

void t.test('a cookie is read by its exact name, once', (t) => {
  for (const [header, wanted] of [
    [undefined, undefined],
    ['', undefined],
    ['phlix=a.b.c', 'a.b.c'],
    ['other=1; phlix=a.b.c;x', 'a.b.c'],
    ['phlix=', undefined],
    ['phlix=a.b.c; phlix=d.e.f', undefined],
    ['phlix=a.b.c;phlix=a.b.c', undefined],
    ['__Secure-phlix=a.b.c', undefined],
    ['Phlix=a.b.c', undefined],
    ['phlix2=a.b.c; xphlix=a.b.c', undefined],
    ['phlix="a.b.c"', undefined],
    ['phlix=a b', undefined],
    ['phlix=a%2eb', undefined],
    [`phlix=${'a'.repeat(4096)}`, 'a'.repeat(4096)],
    [`phlix=${'a'.repeat(4097)}`, undefined],
  ] as const) {
    t.equal(readWebSessionCookie(header, false), wanted, header?.slice(0, 60) ?? 'none')
  }
  t.equal(readWebSessionCookie('phlix=a.b.c', true), undefined, 'a page without TLS may have set it')
  t.equal(readWebSessionCookie('phlix=x.y.z; __Secure-phlix=a.b.c', true), 'a.b.c')
  t.end()
})
