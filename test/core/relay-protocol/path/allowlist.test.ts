import t from 'tap'
import { findAllowedRequest } from '../../../../src/core/relay-protocol/path/allowlist.ts'
import { parseRelayPath } from '../../../../src/core/relay-protocol/path/relay-path.ts'

const allowed = (method: string, target: string) => {
  const path = parseRelayPath(target)
  return path === undefined ? undefined : findAllowedRequest(method, path)
}

void t.test('bytes of films are streamed, JSON is buffered', (t) => {
  const cases = [
    ['GET', '/hls/job/seg-1.ts', 'streamed', 60_000],
    ['HEAD', '/hls/job/master.m3u8', 'streamed', 60_000],
    ['GET', '/dash/job/x', 'streamed', 60_000],
    ['HEAD', '/dash/job/x', 'streamed', 60_000],
    ['GET', '/media/1/stream?sig=x', 'streamed', 30_000],
    ['HEAD', '/media/1/stream', 'streamed', 30_000],
    ['GET', '/trickplay/1/0.jpg', 'streamed', 30_000],
    ['GET', '/api/v1/artwork/1', 'streamed', 30_000],
    ['GET', '/api/v1/users/1/avatar', 'streamed', 30_000],
    ['GET', '/api/v1/transcode/1', 'buffered', 30_000],
    ['HEAD', '/api/v1/transcode/1', 'buffered', 30_000],
    ['GET', '/api/v1/libraries', 'buffered', 30_000],
    ['GET', '/api/v1/libraries/1/media', 'buffered', 30_000],
    ['GET', '/api/v1/media?limit=1', 'buffered', 30_000],
    ['GET', '/api/v1/media/1/playback-info', 'buffered', 30_000],
    ['GET', '/api/v1/collections', 'buffered', 30_000],
    ['GET', '/api/v1/music/artists', 'buffered', 30_000],
    ['POST', '/api/v1/media/1/transcode', 'buffered', 60_000],
    ['POST', '/api/v1/media/1/watched', 'buffered', 30_000],
    ['POST', '/api/v1/media/1/unwatched', 'buffered', 30_000],
    ['POST', '/api/v1/media/1/favorite', 'buffered', 30_000],
    ['DELETE', '/api/v1/media/1/favorite', 'buffered', 30_000],
    ['PUT', '/api/v1/media/1/rating', 'buffered', 30_000],
    ['DELETE', '/api/v1/media/1/rating', 'buffered', 30_000],
    ['PUT', '/api/v1/media/1/like', 'buffered', 30_000],
    ['PUT', '/api/v1/media/1/poster', 'buffered', 30_000],
    ['POST', '/api/v1/playlists', 'buffered', 30_000],
  ] as const
  for (const [method, target, transfer, firstByteMilliseconds] of cases)
    t.match(allowed(method, target), { transfer, firstByteMilliseconds }, `${method} ${target}`)
  t.end()
})

void t.test('only reads may be repeated', (t) => {
  t.equal(allowed('GET', '/media/1/stream')?.isRepeatable, true)
  t.equal(allowed('POST', '/api/v1/media/1/transcode')?.isRepeatable, false)
  t.equal(allowed('DELETE', '/api/v1/media/1/rating')?.isRepeatable, false)
  t.end()
})

void t.test('RE-01: other methods and paths are not forwarded', (t) => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'CONNECT', 'TRACE', 'OPTIONS', 'get', 'Get', '', 'GET HEAD'])
    t.equal(allowed(method, '/hls/a/b'), undefined, `${method} /hls/a/b`)
  const paths = [
    '/hls',
    '/media',
    '/dash',
    '/trickplay',
    '/HLS/a/b',
    '/Media/1/stream',
    '/hlsx/a',
    '/xhls/a',
    '/hl%73x/a',
    '/.well-known/jwks.json',
    '/healthz',
    '/api',
    '/api/v1',
    '/api/v1/admin/users',
    '/api/v1/auth/me',
    '/api/v1/users/1',
    '/api/v1/users/me/settings',
    '/api/v1/users/1/avatar/x',
    '/api/v1/librariesx',
    '/api/v2/libraries',
    '/API/V1/libraries',
    '/api/v1/Libraries',
    '/api/v1/transcode',
    '/api/v1/music',
    '/api/v1/artwork',
    '/api/v1/playlists',
    '/api/v1/sessions',
    '/metrics',
  ]
  for (const path of paths) t.equal(allowed('GET', path), undefined, `GET ${path}`)
  const posts = [
    '/media/1/transcode',
    '/api/v1/media/transcode',
    '/api/v1/media/1/transcode/x',
    '/api/v1/media/1/2/transcode',
    '/api/v1/media/1/Transcode',
    '/api/v1/media/1/scan',
    '/api/v1/libraries',
    '/api/v1/libraries/1/scan',
    '/api/v1/playlists/1',
    '/api/v1/auth/login',
  ]
  for (const path of posts) t.equal(allowed('POST', path), undefined, `POST ${path}`)
  for (const [method, path] of [
    ['PUT', '/api/v1/media/1'],
    ['DELETE', '/api/v1/media/1'],
    ['PATCH', '/api/v1/media/1/rating'],
    ['DELETE', '/api/v1/media/1/like'],
    ['PUT', '/api/v1/media/1/favorite'],
    ['HEAD', '/api/v1/libraries'],
  ] as const)
    t.equal(allowed(method, path), undefined, `${method} ${path}`)
  t.end()
})

void t.test('an encoded name is the same name for the allowlist and for the home server', (t) => {
  t.ok(allowed('GET', '/%68ls/a/b'))
  t.ok(allowed('GET', '/api/v1/media/%31/playback-info'))
  t.equal(allowed('GET', '/%2568ls/a/b'), undefined, 'an encoding of an encoding is another name')
  t.end()
})
