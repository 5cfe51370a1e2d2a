import t from 'tap'
import { loadConfig, parsePathMap, useForwardSlashes } from '../../../../src/core/platform/config/index.ts'

const problemOf = (flags: Record<string, string>): string => {
  try {
    loadConfig({ environment: {}, flags })
    return 'accepted'
  } catch (error) {
    return String(error)
  }
}

void t.test('a path map holds pairs of absolute folders, the longest remote folder first', (t) => {
  t.strictSame(parsePathMap(' /movies=/srv/films , D:\\Media\\TV\\=/srv/tv/,, /movies/4k=/mnt/4k'), {
    mappings: [
      { remote: 'D:/Media/TV', local: '/srv/tv' },
      { remote: '/movies/4k', local: '/mnt/4k' },
      { remote: '/movies', local: '/srv/films' },
    ],
    wrong: [],
  })
  t.strictSame(parsePathMap(''), { mappings: [], wrong: [] })
  const wrong = ['movies=/srv', '/movies', '/movies=', '=/srv', '/a=b', '/a=/b=/c', 'x'.repeat(100_000)]
  t.strictSame(parsePathMap(wrong.join(',')), { mappings: [], wrong })
  t.end()
})

void t.test('Windows paths are converted to slashes, other paths are unchanged', (t) => {
  t.equal(useForwardSlashes('D:\\Films\\A\\'), 'D:/Films/A')
  t.equal(useForwardSlashes('\\\\nas\\films'), '//nas/films')
  t.equal(useForwardSlashes('/srv/a\\b/'), '/srv/a\\b')
  t.equal(useForwardSlashes('/'), '/')
  t.end()
})

void t.test('addresses, secrets and path maps of an invalid form prevent the start', (t) => {
  for (const url of ['http://127.0.0.1:7878', 'https://radarr.test/base/', 'http://[::1]:8989/x']) {
    t.equal(problemOf({ 'acquisition.radarr.url': url }), 'accepted', url)
  }
  const wrong = ['127.0.0.1:7878', 'ftp://a.test', 'http://', 'http://a:b@c.test', 'http://a.test/?x=1', 'http://a b']
  for (const url of [...wrong, 'http://a.test/#x', `http://${'a'.repeat(100_000)}`]) {
    t.match(problemOf({ 'acquisition.sonarr.url': url }), 'must be an http or https address', url.slice(0, 40))
  }
  t.match(problemOf({ 'acquisition.webhook_secret': 'x'.repeat(15) }), 'at least 16 characters')
  t.equal(problemOf({ 'acquisition.webhook_secret': 'x'.repeat(16) }), 'accepted')
  t.match(problemOf({ 'acquisition.radarr.path_map': 'movies=/srv' }), 'these are none: movies=/srv')
  t.end()
})
