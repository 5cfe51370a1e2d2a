import t from 'tap'
import { parseRelayPath, formatRelayPath } from '../../../../src/core/relay-protocol/path/relay-path.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

void t.test('ordinary targets are read and written again', (t) => {
  const cases = [
    ['/hls/a/master.m3u8?exp=1&sig=a%2Bb', ['hls', 'a', 'master.m3u8'], '?exp=1&sig=a%2Bb'],
    ['/media/1/stream', ['media', '1', 'stream'], ''],
    ['/api/v1/music/artists/AC%20DC', ['api', 'v1', 'music', 'artists', 'AC DC'], ''],
    ['/api/v1/music/artists/100%25', ['api', 'v1', 'music', 'artists', '100%'], ''],
    ['/media/Bj%C3%B6rk', ['media', 'Björk'], ''],
    ['/media/...', ['media', '...'], ''],
    ['/media/a;b', ['media', 'a;b'], ''],
    ['/media/x?/../y', ['media', 'x'], '?/../y'],
  ] as const
  for (const [target, segments, query] of cases) {
    const path = parseRelayPath(target)
    t.strictSame(path, { segments, query }, target)
    t.strictSame(path && parseRelayPath(formatRelayPath(path)), path, `${target} means the same after it was written`)
  }
  t.end()
})

void t.test('RE-01: targets that another reader could understand differently are refused', (t) => {
  const refused = [
    '',
    'hls/x',
    '/',
    '//hls/x',
    '/hls//x',
    '/hls/',
    '/hls/../api/v1/admin',
    '/hls/./x',
    '/hls/..',
    '/hls/%2e%2e/api',
    '/hls/%2E%2e/api',
    '/hls/.%2e/api',
    '/hls/%252e%252e/api',
    '/hls/%25252e%25252e/api',
    '/hls/%2525252e%2525252e/api',
    '/hls/..%3b/api',
    '/media/..;/x',
    '/media/..;a=b/x',
    '/media/.;/x',
    '/hls/%2fapi',
    '/hls/a%2f..%2fapi',
    '/hls/%252fapi',
    '/hls/a\\b',
    '/hls/%5c..%5capi',
    '/hls/%255c',
    '/hls/%00',
    '/hls/x%0d%0aHost:%20y',
    '/hls/%250a',
    '/hls/%7f',
    '/hls/%C2%85',
    '/hls/%',
    '/hls/%zz',
    '/hls/%c0%ae%c0%ae',
    '/hls/%ff',
    '/hls/a b',
    '/hls/a\tb',
    '/hls/a\r\nb',
    '/hls/ü',
    '/hls/x#y',
    '/hls/x?a\r\nb',
    'http://evil.example/hls/x',
    '/http://evil.example/hls/x',
    '*',
    `/hls/${'a'.repeat(8192)}`,
  ]
  for (const target of refused) t.equal(parseRelayPath(target), undefined, JSON.stringify(target.slice(0, 60)))
  t.end()
})

void t.test('no accepted random target contains a way out after up to four decodings', (t) => {
  const seed = 2_103_001
  const random = seededRandom(seed)
  const words = ['hls', '..', '.', '%2e', '%25', '2e', '2f', '%2f', '/', '\\', '%5c', ';', 'x', '?', '%00', '%c0%ae']
  let accepted = 0
  for (let attempt = 0; attempt < 50_000; attempt += 1) {
    const target = `/${Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join('')}`
    const path = parseRelayPath(target)
    if (path === undefined) continue
    accepted += 1
    let text = `/${path.segments.join('/')}`
    for (let round = 0; round < 4; round += 1) {
      const isWayOut = /(?:^|\/)\.{1,2}(?:[;/]|$)|\/\/|[\\\p{Cc}]/u.test(text)
      if (isWayOut || text.split('/').length !== path.segments.length + 1)
        t.fail(`seed ${seed}: ${target} was accepted`)
      try {
        text = decodeURIComponent(text)
      } catch {
        break
      }
    }
  }
  t.ok(accepted > 100, `${accepted} accepted`)
  t.end()
})
