import t from 'tap'
import {
  expiredWebSessionCookie,
  readWebSessionCookie,
  webSessionCookie,
} from '../../../src/daemon/http/web-session-cookie.ts'

const PLAIN = { isSecure: false, port: '8096' }
const SECURE = { isSecure: true, port: '443' }

void t.test('the cookie is for one path and for no script; with TLS it has the prefix that only TLS can set', (t) => {
  const scope = 'Path=/api/v1/auth/web; Max-Age=60; HttpOnly; SameSite=Strict'
  t.equal(webSessionCookie({ token: 'a.b.c', maxAgeSeconds: 60, page: PLAIN }), `phlix-8096=a.b.c; ${scope}`)
  t.equal(
    webSessionCookie({ token: 'a.b.c', maxAgeSeconds: 60, page: SECURE }),
    `__Secure-phlix-443=a.b.c; ${scope}; Secure`,
  )
  t.equal(expiredWebSessionCookie(PLAIN), `phlix-8096=; ${scope.replace('60', '0')}`)
  t.end()
})

void t.test('a cookie is read by its exact name, once', (t) => {
  for (const [header, wanted] of [
    [undefined, undefined],
    ['', undefined],
    ['phlix-8096=a.b.c', 'a.b.c'],
    ['other=1; phlix-8096=a.b.c;x', 'a.b.c'],
    ['phlix-8096=', undefined],
    ['phlix-8096=a.b.c; phlix-8096=d.e.f', undefined],
    ['phlix-8096=a.b.c;phlix-8096=a.b.c', undefined],
    ['__Secure-phlix-8096=a.b.c', undefined],
    ['phlix-8800=d.e.f', undefined],
    ['phlix-8800=d.e.f; phlix-8096=a.b.c', 'a.b.c'],
    ['phlix=a.b.c', undefined],
    ['Phlix-8096=a.b.c', undefined],
    ['phlix-80960=a.b.c; xphlix-8096=a.b.c', undefined],
    ['phlix-8096="a.b.c"', undefined],
    ['phlix-8096=a b', undefined],
    ['phlix-8096=a%2eb', undefined],
    [`phlix-8096=${'a'.repeat(4096)}`, 'a'.repeat(4096)],
    [`phlix-8096=${'a'.repeat(4097)}`, undefined],
  ] as const) {
    t.equal(readWebSessionCookie(header, PLAIN), wanted, header?.slice(0, 60) ?? 'none')
  }
  t.equal(readWebSessionCookie('phlix-8096=a.b.c', SECURE), undefined, 'a page without TLS may have set it')
  t.equal(readWebSessionCookie('phlix-8096=x.y.z; __Secure-phlix-443=a.b.c', SECURE), 'a.b.c')
  t.end()
})
