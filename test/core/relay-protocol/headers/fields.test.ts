import t from 'tap'
import { checkReplyHead } from '../../../../src/core/relay-protocol/headers/reply-fields.ts'
import { checkHubFields, checkViewerFields } from '../../../../src/core/relay-protocol/headers/request-fields.ts'

type Fields = readonly (readonly [string, string])[]

const reply = (fields: Fields, status = 200) => checkReplyHead(status, fields)

const MALFORMED: Fields = [
  ['x\r\ny', 'a'],
  ['x y', 'a'],
  ['x:', 'a'],
  ['', 'a'],
  [':status', '200'],
  ['ü', 'a'],
  ['x', 'a\r\nhost: evil'],
  ['x', 'a\nb'],
  ['x', 'a\rb'],
  ['x', 'a\u0000b'],
  ['x', 'a\r\n b'],
  ['x', 'ü'],
  ['x', 'a\u007F'],
  ['x', '\u{1F600}'],
  ['x'.repeat(257), 'a'],
  ['x', 'a'.repeat(8193)],
]

void t.test('RE-02: a malformed header field refuses the whole message, in both directions', (t) => {
  for (const field of MALFORMED) {
    const name = JSON.stringify(field).slice(0, 50)
    t.equal(checkViewerFields([field]), undefined, `${name} of a viewer`)
    t.equal(checkHubFields([field]), undefined, `${name} of a hub`)
    t.equal(reply([field]), undefined, `${name} of a home server`)
  }
  t.end()
})

void t.test('RE-02: repeated fields are joined only if they are lists', (t) => {
  t.strictSame(
    checkViewerFields([
      ['Accept', 'a'],
      ['accept', 'b'],
    ]),
    { accept: 'a, b' },
  )
  t.strictSame(
    checkHubFields([
      ['Accept-Encoding', 'gzip, br'],
      ['accept-encoding', 'zstd'],
    ]),
    { 'accept-encoding': 'gzip, br, zstd' },
    'viewers get compressed replies through the tunnel',
  )
  for (const name of ['range', 'content-type', 'if-none-match'])
    t.equal(
      checkViewerFields([
        [name, 'a'],
        [name, 'b'],
      ]),
      undefined,
      name,
    )
  t.equal(
    reply([
      ['content-length', '1'],
      ['Content-Length', '1'],
    ]),
    undefined,
  )
  t.end()
})

void t.test('RE-02: more than 100 fields are refused', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, 'a'] as const)
  t.strictSame(checkViewerFields(many(100)), {})
  t.equal(checkViewerFields(many(101)), undefined)
  t.equal(reply(many(300)), undefined)
  t.end()
})

void t.test('RE-03: headers of the connection, and those that it names, do not pass', (t) => {
  const hops =
    'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'
  const fields = hops.split(' ').map((name) => [name, 'x'] as const)
  t.strictSame(checkViewerFields(fields), {})
  t.strictSame(checkHubFields(fields), {})
  t.strictSame(reply(fields), { status: 200, fields: {} })
  const naming: Fields = [
    ['Connection', 'close, Range'],
    ['range', 'bytes=0-1'],
    ['accept', 'a'],
  ]
  t.strictSame(checkViewerFields(naming), { accept: 'a' })
  t.strictSame(
    reply([
      ['connection', 'ETag'],
      ['etag', '"x"'],
    ])?.fields,
    {},
  )
  t.end()
})

void t.test('RE-10: a viewer sends no host, token, cookie or address; the hub sends its own token and address', (t) => {
  const fields: Fields = [
    ['host', 'x'],
    ['authorization', 'Bearer x'],
    ['cookie', 'x'],
    ['x-forwarded-for', '10.0.0.1'],
    ['x-forwarded-host', 'x'],
    ['forwarded', 'for=x'],
    ['via', 'x'],
    ['x-real-ip', '10.0.0.1'],
    ['x-phlix-relay-user', 'x'],
    ['content-length', '5'],
    ['expect', '100-continue'],
    ['x-http-method-override', 'DELETE'],
    ['range', 'bytes=0-'],
    ['User-Agent', 'tv'],
  ]
  t.strictSame(checkViewerFields(fields), { range: 'bytes=0-', 'user-agent': 'tv' })
  t.strictSame(checkHubFields(fields), {
    authorization: 'Bearer x',
    'x-forwarded-for': '10.0.0.1',
    range: 'bytes=0-',
    'user-agent': 'tv',
  })
  t.end()
})

void t.test('RE-04: the head of a part keeps its length, range and status', (t) => {
  const head: Fields = [
    ['content-type', 'video/mp4'],
    ['content-length', '100'],
    ['content-range', 'bytes 0-99/1000'],
    ['etag', '"x"'],
  ]
  t.strictSame(reply(head, 206), { status: 206, fields: Object.fromEntries(head) })
  t.end()
})

void t.test('what changes the origin of the hub in a browser does not pass', (t) => {
  const names =
    'set-cookie location strict-transport-security content-security-policy access-control-allow-origin clear-site-data alt-svc refresh link service-worker-allowed'
  t.strictSame(reply(names.split(' ').map((name) => [name, 'x']))?.fields, {})
  t.end()
})

void t.test('lengths, ranges and statuses that are none refuse the reply', (t) => {
  for (const length of ['', '-1', '+1', '1.5', '0x10', '1, 1', '1e3', '1'.repeat(16)])
    t.equal(reply([['content-length', length]]), undefined, length)
  for (const range of ['bytes', 'bytes 0-', 'bytes 0-1', 'items 0-1/2', 'bytes 0-1/2, bytes 3-4/5'])
    t.equal(reply([['content-range', range]]), undefined, range)
  t.ok(reply([['content-range', 'bytes */100']], 416))
  for (const status of [0, 99, 100, 101, 199, 600, 1000, NaN, 200.5])
    t.equal(reply([], status), undefined, String(status))
  t.end()
})
