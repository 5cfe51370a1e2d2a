import t from 'tap'
import { redactText } from '../../../../src/core/platform/logging/redaction.ts'
import { processorMilliseconds, readingMilliseconds } from '../../../support/processor-time.ts'

void t.test('text that looks like a secret is replaced at any position in a line', (t) => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_'
  for (const line of [
    'GET /media/1/stream?exp=1&sig=canary HTTP/1.1',
    'connect postgres://phlix:canary@db:5432/phlix',
    'see https://name:canary@example.org/x and more',
    'authorization: Bearer canary.canary',
    'Authorization: basic Y2FuYXJ5OmNhbmFyeQ==canary',
    `a token ${jwt}canary here`,
    '{"msg":"sent {\\"password\\":\\"canary\\"}"}',
    '{"nested":{"deep":{"access_token":"canary"}}}',
    'DETAIL: Failing row contains (1, $argon2id$v=19$m=19456,t=2,p=1$canary$canary+/).',
    'https://api.example.org/3/movie?api_key=canary&language=en',
    'host=/run password=canary user=phlix',
    '"Cookie" : "canary"',
    '"tmdb_api_key":"canary"',
    '"metadata.tmdb.api_key":"canary"',
    '"x-api-key":"canary"',
    '"accessToken":"canary"',
    '"refreshToken": "canary"',
    'POST /token?client_secret=canary&x=1',
    'api_key: canary',
    'X-Api-Key:canary',
    "{ password: 'correct canary', x: 1 }",
    'Authorization: MediaBrowser Client="web", Token="canary"',
    'cookie: a=b; sid=canary',
    'set-cookie: sid=canary; Path=/',
    String.raw`{"msg":"sent Token=\"canary\""}`,
    String.raw`{"msg":"password=x\\canary"}`,
  ]) {
    t.notMatch(redactText(line), 'canary', line)
    t.match(redactText(line), '[redacted]')
  }
  t.equal(redactText(`x ${jwt} y`), 'x [redacted] y')
  t.end()
})

void t.test('a value in JSON is replaced to its end, at each level of JSON in JSON', (t) => {
  for (const secret of [
    'canary',
    'ab"canary',
    '"canary',
    'canary"',
    'ab\\"canary',
    'ab\\canary',
    '\\canary\\',
    'a\\\\"canary\\\\',
    "it's canary",
    'two\nlines\tcanary',
    'ä€𝄞\u0000canary',
    '{"token":"canary"}',
    '[redacted]canary',
    'x'.repeat(4000) + '"canary',
    '\\"'.repeat(900) + 'canary',
  ]) {
    const rest = { a: 'left', password: secret, z: 'right' }
    const hidden = { ...rest, password: '[redacted]' }
    let [line, expected] = [JSON.stringify(rest), JSON.stringify(hidden)]
    for (const level of [0, 1, 2]) {
      t.equal(redactText(line), expected, `level ${level}: ${JSON.stringify(secret.slice(0, 30))}`)
      line = JSON.stringify({ msg: line })
      expected = JSON.stringify({ msg: expected })
    }
  }
  t.end()
})

void t.test('invalid and truncated JSON is redacted as well', (t) => {
  const line = JSON.stringify({ msg: JSON.stringify({ password: 'ab"\\\ncanary' }) })
  for (let end = line.indexOf('ab') + 1; end <= line.length; end++) t.notMatch(redactText(line.slice(0, end)), /ab|can/)
  t.equal(redactText('"password":"C:\\canary\\x"'), '"password":"[redacted]"')
  t.equal(redactText(String.raw`\"password\":\"C:\canary\"`), String.raw`\"password\":\"[redacted]\"`)
  t.notMatch(redactText(`"password":"${'y'.repeat(8192)}"`), 'y')
  t.notMatch(redactText(`${'x'.repeat(5000)}_api_key=canary`), 'canary')
  t.end()
})

void t.test('other lines are unchanged', (t) => {
  for (const line of [
    '{"level":"info","time":"2026-03-01T12:00:00.000Z","method":"GET","path":"/api/v1/media","status":200,"msg":"request"}',
    '2026-03-01 12:00:00.000 UTC [17] LOG:  database system is ready to accept connections',
    'at file:///srv/phlix/src/daemon/app.ts:12:34',
    'http://localhost:8096/a@b and x@example.test',
    'the token was revoked; sign in again, signature=',
    '{"token_type":"Bearer","tokens":"3","mapping":"x","spin":"x","msg":"token","is_secret":true}',
    'config=1 topspin=2 spin: 3 keys: 4 "password","x"',
    '',
  ]) {
    t.equal(redactText(line), line)
  }
  t.end()
})

void t.test('redaction takes bounded time for every line', (t) => {
  const unit = readingMilliseconds()
  for (const piece of [
    'eyJaaaaaaa-',
    'a://',
    '\\',
    '"sig',
    'Bearer ',
    '$argon2id$',
    'sig=',
    'http://a:',
    '"token":"',
    '"token":"\\\\"',
    'token\\\\\\\\',
    'token\\"    =    ',
    "'token': '",
    'a-a_token',
    'password: ',
    'cookie: ',
    'cookie:    "',
    'secret=\\\\',
  ]) {
    const line = piece.repeat(Math.ceil(8192 / piece.length))
    const milliseconds = processorMilliseconds(() => redactText(line))
    t.ok(milliseconds < 20 * unit, `${JSON.stringify(piece)} repeated: ${milliseconds / unit} units`)
  }
  t.end()
})
