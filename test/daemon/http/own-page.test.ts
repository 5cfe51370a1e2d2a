import t from 'tap'
import { createOwnPageCheck } from '../../../src/daemon/http/own-page.ts'

const HEADERS = { 'x-phlix-web': '1', 'content-type': 'application/json' }

/** Whether a page is accepted, and whether its cookie is `Secure`. */
function check(
  headers: Record<string, string>,
  { publicUrl, peer = '192.0.2.9' }: { publicUrl?: string; peer?: string } = {},
): string {
  const checkPage = createOwnPageCheck({ publicUrl, trustedProxies: '10.0.0.0/8,::1' })
  try {
    const { isSecure } = checkPage({ headers: { ...HEADERS, ...headers }, socket: { remoteAddress: peer } as never })
    return isSecure ? 'secure' : 'plain'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const REFUSED = 'not_own_page'

void t.test('the origin of a page is that of the server, with its port', (t) => {
  for (const [origin, host, wanted] of [
    ['http://media.local:8096', 'media.local:8096', 'plain'],
    ['http://media.local', 'media.local:80', 'plain'],
    ['https://media.example.org', 'media.example.org', 'secure'],
    ['https://media.example.org', 'MEDIA.example.org:443', 'secure'],
    ['http://[2001:db8::1]:8096', '[2001:DB8::1]:8096', 'plain'],
    ['http://media.local:3000', 'media.local:8096', REFUSED],
    ['http://media.local', 'media.local:8096', REFUSED],
    ['http://evil.example', 'media.local:8096', REFUSED],
    ['http://media.local:8096.evil.example', 'media.local:8096', REFUSED],
    ['http://media.local:8096/', 'media.local:8096', REFUSED],
    ['http://user@media.local:8096', 'media.local:8096', REFUSED],
    ['http://media.local:8096, http://evil.example', 'media.local:8096', REFUSED],
    ['null', 'media.local:8096', REFUSED],
    ['file://', 'media.local:8096', REFUSED],
    ['', 'media.local:8096', REFUSED],
    ['http://x', '', REFUSED],
  ] as const) {
    t.equal(check({ origin, host }), wanted, `${origin} at ${host}`)
  }
  t.equal(check({ host: 'media.local:8096' }), REFUSED, 'no origin')
  t.equal(check({ origin: 'http://media.local:8096' }), REFUSED, 'no host')
  t.end()
})

void t.test('the address that is configured for browsers is one of the server', (t) => {
  const publicUrl = 'https://media.example.org'
  t.equal(check({ origin: publicUrl, host: '127.0.0.1:8096' }, { publicUrl }), 'secure')
  t.equal(check({ origin: 'http://media.example.org', host: '127.0.0.1:8096' }, { publicUrl }), REFUSED)
  t.equal(check({ origin: 'http://10.0.0.2:8096', host: '10.0.0.2:8096' }, { publicUrl }), 'plain', 'beside the proxy')
  t.end()
})

void t.test('only a trusted proxy says how the page was loaded', (t) => {
  const page = { origin: 'https://media.example.org', host: '127.0.0.1:8096' }
  const forwarded = { 'x-forwarded-host': 'media.example.org', 'x-forwarded-proto': 'https' }
  t.equal(check({ ...page, ...forwarded }, { peer: '10.0.0.1' }), 'secure')
  t.equal(check({ ...page, ...forwarded }, { peer: '::1' }), 'secure')
  t.equal(check({ ...page, ...forwarded }), REFUSED, 'from somebody else')
  t.equal(check({ ...page, 'x-forwarded-host': 'media.example.org, inner' }, { peer: '10.0.0.1' }), REFUSED)
  const plain = { origin: 'http://media.example.org', host: 'media.example.org' }
  t.equal(check({ ...plain, ...forwarded }, { peer: '10.0.0.1' }), REFUSED, 'another server of the host, without TLS')
  t.equal(check(plain, { peer: '10.0.0.1' }), 'plain')
  t.end()
})

void t.test('forms of other pages have neither the header nor the type', (t) => {
  const own = { origin: 'http://media.local:8096', host: 'media.local:8096' }
  for (const value of ['', '0', '1, 1', 'true']) t.equal(check({ ...own, 'x-phlix-web': value }), REFUSED, value)
  for (const type of [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/plain; application/json',
  ])
    t.equal(check({ ...own, 'content-type': type }), 'unsupported_media_type', type)
  t.equal(check({ ...own, 'content-type': 'Application/JSON; charset=utf-8' }), 'plain')
  t.end()
})
