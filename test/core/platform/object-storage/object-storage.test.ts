import t, { type Test } from 'tap'
import type { AppError } from '../../../../src/core/platform/errors/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createOutbound } from '../../../../src/core/platform/outbound/index.ts'
import { openObjectStorage, type ObjectStorage } from '../../../../src/core/platform/object-storage/index.ts'
import { parseXmlReply, childNodeText } from '../../../../src/core/platform/object-storage/parse-xml-reply.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { authorizationOf, S3_KEYS, startFakeS3, type FakeS3 } from '../../../support/fake-s3.ts'
import { freePort } from '../../../support/free-port.ts'
import { movableClock } from '../../../support/records.ts'

const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: {} })
const outbound = createOutbound({ log: await createLogger(config, { level: 'emergency' }) })
t.teardown(() => outbound.close())

type Changes = Partial<Parameters<typeof openObjectStorage>[0]>

function open({ endpoint }: Pick<FakeS3, 'endpoint'>, changes: Changes = {}): ObjectStorage {
  return openObjectStorage({
    outbound,
    clock: systemClock,
    endpoint,
    region: 'eu-central-1',
    bucket: 'backups',
    ...S3_KEYS,
    retryMilliseconds: 1,
    ...changes,
  })
}

const failsWith = (t: Test, work: Promise<unknown>, code: string, message: RegExp) =>
  t.rejects(work, { code, message }, `${code} ${message}`)

void t.test('the signature of the peer in the tests is that of the documentation of Amazon', (t) => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, example of a list.
  const url = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J')
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const time = '20130524T000000Z'
  const headers = {
    authorization: 'AWS4-HMAC-SHA256 SignedHeaders=host;x-amz-content-sha256;x-amz-date,',
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
  }
  t.match(
    authorizationOf({ request: { method: 'GET', headers }, url, sha256, time, region: 'us-east-1' }),
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  )
  t.end()
})

void t.test('objects are stored, read, listed over several pages, and removed', async (t) => {
  const s3 = await startFakeS3(t)
  const storage = open(s3)
  s3.pageSize = 2
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `p/${name} é'()*`)
  for (const name of names) await storage.put(name, Buffer.from(name))
  t.strictSame(
    (await storage.list('p/')).map(({ key }) => key),
    names,
  )
  t.strictSame(await storage.list('q/'), [])
  const [key = ''] = names
  t.equal(Buffer.from(await storage.get(key, { maximumBytes: 100 })).toString(), key)
  t.equal(Buffer.from(await storage.get(key, { range: { first: 1, last: 2 }, maximumBytes: 2 })).toString(), '/a')
  t.match(await storage.head(key), { bytes: Buffer.byteLength(key) })
  await storage.remove(key)
  await storage.remove(key)
  t.equal(await storage.head(key), undefined)
  await failsWith(t, storage.get(key, { maximumBytes: 1 }), 'storage_object_missing', /NoSuchKey/)
})

void t.test('every refusal has its own error, which holds no secret', async (t) => {
  const s3 = await startFakeS3(t)
  const list = (changes: Changes) => open(s3, changes).list('')
  await failsWith(t, list({ secretAccessKey: 'wrong' }), 'storage_denied', /SignatureDoesNotMatch/)
  await failsWith(t, list({ accessKeyId: 'unknown' }), 'storage_denied', /InvalidAccessKeyId/)
  await failsWith(t, list({ bucket: 'absent' }), 'storage_bucket_missing', /has no bucket absent/)
  await failsWith(t, list({ region: 'us-east-1' }), 'storage_wrong_region', /is in eu-central-1, not in us-east-1/)
  const slow = movableClock('2026-01-01T00:00:00.000Z')
  await failsWith(
    t,
    list({ clock: slow }),
    'storage_clock',
    /^127\S+ it is 2026-01-01T00:00:00.000Z on this machine; there it is 20/,
  )
  await failsWith(
    t,
    list({ endpoint: `http://127.0.0.1:${await freePort()}` }),
    'storage_unreachable',
    /cannot be reached/,
  )
  const error: unknown = await list({ secretAccessKey: 'top-secret' }).catch((thrown: unknown) => thrown)
  t.notMatch(JSON.stringify([error, String(error)]), /top-secret/)
})

void t.test('a redirect is an error that names the region, and is not followed', async (t) => {
  const s3 = await startFakeS3(t)
  const location = 'http://169.254.169.254/'
  s3.fault = () => ({
    status: 301,
    code: 'PermanentRedirect',
    headers: { 'x-amz-bucket-region': 'eu-west-1', location },
  })
  await failsWith(t, open(s3).list(''), 'storage_wrong_region', /is in eu-west-1, not in eu-central-1/)
  s3.fault = () => ({ status: 307, code: 'TemporaryRedirect', extra: '<Endpoint>s3.example.org</Endpoint>' })
  await failsWith(t, open(s3).list(''), 'storage_wrong_region', /is in s3.example.org/)
  s3.fault = () => ({
    status: 301,
    code: 'x',
    headers: { 'x-amz-bucket-region': '\u001B[31m <script>'.replace('\u001B', '') },
  })
  await failsWith(t, open(s3).head('a'), 'storage_wrong_region', /is elsewhere, not in/)
  t.equal(s3.requests.length, 3)
})

void t.test('an overloaded server is asked four times, a lost reply is repeated, a refusal is not', async (t) => {
  const s3 = await startFakeS3(t)
  const storage = open(s3)
  let failures = 3
  s3.fault = () => (failures-- > 0 ? { status: 503, code: 'SlowDown' } : undefined)
  await storage.put('a', Buffer.from('x'))
  t.equal(s3.requests.length, 4)
  failures = 4
  await failsWith(t, storage.put('a', Buffer.from('x')), 'storage_unreachable', /SlowDown \(Text of SlowDown\)/)
  failures = 1
  s3.fault = () => (failures-- > 0 ? { closes: true, after: true } : undefined)
  await storage.put('b', Buffer.from('x'))
  s3.requests.length = 0
  s3.fault = () => ({ status: 403, code: 'AccessDenied' })
  await failsWith(t, storage.put('b', Buffer.from('x')), 'storage_denied', /AccessDenied/)
  t.equal(s3.requests.length, 1)
})

void t.test('an abort ends a call during a pause', async (t) => {
  const s3 = await startFakeS3(t)
  const stop = new AbortController()
  s3.fault = () => {
    stop.abort(new Error('stopped'))
    return { status: 503, code: 'SlowDown' }
  }
  await t.rejects(open(s3, { retryMilliseconds: 1_000_000 }).list('', stop.signal), { message: 'stopped' })
})

void t.test(
  'a proxy that changes accept-encoding does not break the signature; no encoding is asked for',
  async (t) => {
    const s3 = await startFakeS3(t)
    await open(s3).put('a', Buffer.from('x'))
    s3.isBehindProxy = true
    await open(s3).put('b', Buffer.from('x'))
    t.strictSame([...s3.objects.keys()], ['a', 'b'])
    t.strictSame(s3.encodings, ['identity', 'identity'])
  },
)

void t.test('a list that is no list, or is cut, is an error and not a shorter list', async (t) => {
  const s3 = await startFakeS3(t)
  const storage = open(s3)
  const cut = (rest: string) => `<ListBucketResult><IsTruncated>true</IsTruncated>${rest}</ListBucketResult>`
  for (const body of ['', '<html><body>Sign in</body></html>', '{}', '<ListMultipartUploadsResult/>']) {
    s3.fault = () => ({ body })
    await failsWith(t, storage.list(''), 'storage_failed', /answered without a list/)
  }
  for (const rest of ['', '<NextContinuationToken></NextContinuationToken>']) {
    s3.fault = () => ({ body: cut(rest) })
    await failsWith(t, storage.list(''), 'storage_failed', /sent an incomplete list/)
  }
  s3.requests.length = 0
  s3.fault = () => ({ body: cut('<NextContinuationToken>a</NextContinuationToken>') })
  await failsWith(t, storage.list(''), 'storage_failed', /sent an incomplete list/)
  t.equal(s3.requests.length, 2, 'a token that is repeated')
  s3.fault = () => ({
    body: '<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>',
  })
  await failsWith(t, storage.listUploads(''), 'storage_failed', /sent an incomplete list/)
  s3.fault = () => ({ body: '<html/>' })
  await failsWith(t, storage.listUploads(''), 'storage_failed', /answered without a list/)
})

void t.test('keys below the prefix are not listed', async (t) => {
  const s3 = await startFakeS3(t)
  const storage = open(s3)
  for (const key of ['a', 'films/b', 'films/old/c']) await storage.put(key, Buffer.from('x'))
  t.match(await storage.list(''), [{ key: 'a' }])
  t.match(await storage.list('films/'), [{ key: 'films/b' }])
  await storage.startUpload('films/d')
  t.strictSame(await storage.listUploads(''), [])
  t.match(await storage.listUploads('films/'), [{ key: 'films/d' }])
})

void t.test('the code of an error is one line of at most 200 characters', async (t) => {
  const s3 = await startFakeS3(t)
  s3.fault = () => ({ status: 400, code: `Bad\u001B[31m\r\nline ${'x'.repeat(100_000)}` })
  const error = (await open(s3)
    .list('')
    .catch((thrown: unknown) => thrown)) as AppError
  t.match(error, { code: 'storage_failed', text: /: Bad \[31m line x/ })
  t.notMatch(error.message, /\p{Cc}/u)
  t.equal(String(error.details['storage_code']).length, 200)
  t.ok(error.message.length < 600, String(error.message.length))
})

void t.test('an error in a reply with status 200 is an error', async (t) => {
  const s3 = await startFakeS3(t)
  s3.fault = ({ query }) => (query.has('uploadId') ? { status: 200, code: 'InternalError' } : undefined)
  const storage = open(s3)
  const uploadId = await storage.startUpload('a')
  await failsWith(t, storage.completeUpload('a', { uploadId, parts: [] }), 'storage_unreachable', /InternalError/)
})

void t.test('texts that are no reply have no content', (t) => {
  const hostile = [
    '',
    'x',
    '<',
    '<a',
    '<!DOCTYPE a [<!ENTITY b "c">]><Code>&b;</Code>',
    '<a>'.repeat(100_000),
    '<a/>',
    '\u0000',
  ]
  for (const text of hostile) t.equal(childNodeText(parseXmlReply(Buffer.from(text)), 'Code'), '', text.slice(0, 20))
  t.equal(
    childNodeText(parseXmlReply(Buffer.from('<s:Error xmlns:s="x"><Code>A&amp;B</Code></s:Error>')), 'Code'),
    'A&B',
  )
  t.end()
})
