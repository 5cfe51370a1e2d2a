import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  changeSchedule,
  createBackup,
  describeBackup,
  downloadBackup,
  listBucket,
  openBucket,
  pruneBucket,
  uploadBackup,
  uploadNewest,
  type Bucket,
} from '../../../../src/core/backups/index.ts'
import { partBytesOf } from '../../../../src/core/backups/remote/part-size.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { startFakeS3, type FakeS3 } from '../../../support/fake-s3.ts'
import { makeUser } from '../../../support/catalogue-items.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const MEBIBYTE = 1024 * 1024

const s3 = await startFakeS3(t)
const clock = movableClock('2026-03-01T12:00:00.000Z')
s3.now = () => clock.now()
const services = await testServices(t, { clock, environment: s3.environment })
await makeUser(services.db, 'ada')
const bucket: Bucket = openBucket(services, { retryMilliseconds: 1 })
const plugins = join(services.config.dataDirectory, 'plugins')
mkdirSync(plugins)
const small = await createBackup(services, { label: 'small' })
// Random bytes are not compressed: the archive has two parts.
writeFileSync(join(plugins, 'large.bin'), randomBytes(10 * MEBIBYTE))
clock.advance(60)
const large = await createBackup(services, { label: 'large' })
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const describe = ({ path }: { path: string }) => describeBackup(path, nameOf(path))
const upload = async (archive: { path: string }, signal?: AbortSignal) =>
  uploadBackup(bucket, services, { backup: await describe(archive), signal })

function empty(): FakeS3 {
  s3.objects.clear()
  s3.uploads.clear()
  s3.requests.length = 0
  s3.fault = () => undefined
  s3.hasForeignEtags = false
  return s3
}

void t.test('a small archive is one request, and is listed with what its description says', async (t) => {
  empty()
  t.match(await upload(small), {
    isNew: true,
    location: `s3://backups/phlix/${nameOf(small.path)}`,
    bytes: small.bytes,
  })
  t.match(await listBucket(bucket), [
    {
      id: small.id,
      label: 'small',
      state: 'valid',
      isInBucket: true,
      sha256: small.sha256,
      createdAt: small.createdAt,
    },
  ])
  t.equal(s3.uploads.size, 0)
  t.match(await upload(small), { isNew: false }, 'again: nothing is sent')
})

void t.test('a large archive is sent in parts of 8 MiB, one of which is in memory', async (t) => {
  empty()
  s3.largestBody = 0
  t.match(await upload(large), { isNew: true, bytes: large.bytes })
  t.equal(s3.largestBody, 8 * MEBIBYTE)
  t.equal(s3.requests.filter((request) => request.includes('partNumber=')).length, 2)
  t.ok(s3.objects.get(`phlix/${nameOf(large.path)}`)?.content.equals(readFileSync(large.path)))
})

void t.test('parts grow, so that there are at most 10,000', (t) => {
  for (const bytes of [0, 1, 8 * MEBIBYTE, 80_000 * MEBIBYTE, 80_000 * MEBIBYTE + 1, 5 * 1024 * 1024 * MEBIBYTE]) {
    t.ok(Math.ceil(bytes / partBytesOf(bytes)) <= 10_000, String(bytes))
  }
  t.end()
})

void t.test('a download is the archive again, and nothing of a changed one is left', async (t) => {
  empty()
  await upload(large)
  const folder = reachableDirectory(t)
  const { config } = services
  const got = await downloadBackup(bucket, { config, id: large.id, folder })
  t.match(got, { id: large.id, sha256: large.sha256, state: 'valid', path: join(folder, nameOf(large.path)) })
  t.equal(statSync(got.path).mode & 0o777, 0o600)
  const stored = s3.objects.get(`phlix/${nameOf(large.path)}`)
  stored?.content.writeUInt8(stored.content.readUInt8(9 * MEBIBYTE) ^ 1, 9 * MEBIBYTE)
  const other = reachableDirectory(t)
  await t.rejects(downloadBackup(bucket, { config, id: large.id, folder: other }), { code: 'storage_checksum' })
  t.strictSame(readdirSync(other), [])
  await t.rejects(downloadBackup(bucket, { config, id: '0123456789ab', folder: other }), { code: 'backup_not_found' })
})

void t.test('a cut object is marked as damaged, is not downloaded, and is not pruned', async (t) => {
  empty()
  await upload(small)
  const key = `phlix/${nameOf(small.path)}`
  const stored = s3.objects.get(key)
  if (stored !== undefined) stored.content = stored.content.subarray(0, 1000)
  t.match(await listBucket(bucket), [{ state: 'damaged', problem: `It has 1000 bytes instead of ${small.bytes}` }])
  await t.rejects(downloadBackup(bucket, { config: services.config, id: small.id }), { code: 'backup_damaged' })
  t.match(await pruneBucket(bucket, { rules: { last: 1 } }), [{ isKept: true }])
  t.match(await upload(small), { isNew: true }, 'an upload replaces it')
  t.match(await listBucket(bucket), [{ state: 'valid' }])
})

void t.test('a server that computes other etags is read back, and a difference removes the object', async (t) => {
  empty().hasForeignEtags = true
  t.match(await upload(large), { isNew: true })
  t.equal(s3.requests.filter((request) => request.startsWith('GET /backups/phlix/phlix-')).length, 2)
  empty().hasForeignEtags = true
  s3.fault = ({ method, key }) => {
    if (method === 'HEAD') s3.objects.get(key)?.content.writeUInt8(0xff, 5000)
    return undefined
  }
  await t.rejects(upload(large), { code: 'storage_checksum' })
  t.equal(s3.objects.size, 0)
})

void t.test('lost replies and overload are repeated; also a completion whose reply is lost', async (t) => {
  empty()
  const failed = new Set<string>()
  s3.fault = ({ method, query }) => {
    const call = `${method} ${[...query.keys()].join()} ${query.get('partNumber') ?? ''}`
    if (failed.has(call)) return undefined
    failed.add(call)
    return query.has('partNumber') ? { status: 503, code: 'SlowDown' } : { closes: true, after: true }
  }
  t.match(await upload(large), { isNew: true, bytes: large.bytes })
  t.match(await listBucket(bucket), [{ state: 'valid', sha256: large.sha256 }])
})

void t.test('a failure and an abort remove the parts; nothing is listed', async (t) => {
  empty()
  s3.fault = ({ query }) => (query.get('partNumber') === '2' ? { status: 403, code: 'AccessDenied' } : undefined)
  await t.rejects(upload(large), { code: 'storage_denied' })
  t.strictSame([s3.uploads.size, s3.objects.size], [0, 0])
  const stop = new AbortController()
  s3.fault = ({ query }) => {
    if (query.get('partNumber') === '2') stop.abort(new Error('stopped'))
    return undefined
  }
  await t.rejects(upload(large, stop.signal), { message: 'stopped' })
  t.strictSame([s3.uploads.size, s3.objects.size], [0, 0])
  t.strictSame(await listBucket(bucket), [])
})

void t.test('an archive without its description does not count: its upload was killed', async (t) => {
  empty()
  s3.objects.set(`phlix/${nameOf(small.path)}`, { content: Buffer.alloc(10), etag: '', modifiedAt: clock.now() })
  s3.objects.set('phlix/notes.txt', { content: Buffer.alloc(10), etag: '', modifiedAt: clock.now() })
  for (const name of [
    'other/phlix.tar',
    '../../phlix.tar',
    '..',
    '.partial.tar',
    '\u001Bx.tar',
    `${'x'.repeat(300)}.tar`,
  ]) {
    s3.objects.set(`phlix/${name}`, { content: Buffer.alloc(10), etag: '', modifiedAt: clock.now() })
  }
  t.match(await listBucket(bucket), [{ state: 'unchecked', id: nameOf(small.path) }])
  t.match(await upload(small), { isNew: true })
})

void t.test('parts of killed uploads go after a day, those of others stay', async (t) => {
  empty()
  const started = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  s3.uploads.set('old', { key: 'phlix/phlix-1.tar', startedAt: started(25), parts: new Map() })
  s3.uploads.set('new', { key: 'phlix/phlix-2.tar', startedAt: started(23), parts: new Map() })
  s3.uploads.set('foreign', { key: 'phlix/film.mkv', startedAt: started(25), parts: new Map() })
  await upload(small)
  t.strictSame([...s3.uploads.keys()], ['new', 'foreign'])
  empty().fault = ({ method, query }) =>
    method === 'GET' && query.has('uploads') ? { status: 403, code: 'AccessDenied' } : undefined
  t.match(await upload(small), { isNew: true }, 'an account that may not list them can upload')
})

void t.test('a damaged archive is not uploaded, nor one that changes meanwhile', async (t) => {
  empty()
  const folder = reachableDirectory(t)
  const path = join(folder, nameOf(large.path))
  writeFileSync(path, readFileSync(large.path))
  const backup = await describeBackup(path, nameOf(path))
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(9 * MEBIBYTE) ^ 1, 9 * MEBIBYTE)
  writeFileSync(path, bytes)
  await t.rejects(uploadBackup(bucket, services, { backup, signal: undefined }), { code: 'backup_damaged' })
  await t.rejects(upload({ path }), { code: 'backup_damaged' })
  await t.rejects(upload({ path: join(folder, 'absent.tar') }), { code: 'backup_not_found' })
  t.strictSame([s3.uploads.size, s3.objects.size], [0, 0])
})

void t.test('the server uploads its newest backup, and the retention counts in the bucket too', async (t) => {
  empty()
  for (const [index, path] of [small.path, large.path].entries()) {
    s3.objects.set(`phlix/phlix-2025010${index}T000000Z-0123456789ab.tar`, {
      content: readFileSync(path),
      etag: '',
      modifiedAt: clock.now(),
    })
  }
  await upload(small)
  await changeSchedule(services, { retention: 1 })
  t.match(await uploadNewest(services), { isNew: true, bytes: large.bytes })
  t.strictSame(
    (await listBucket(bucket)).map(({ id, state }) => [id, state]).filter(([, state]) => state === 'valid'),
    [[large.id, 'valid']],
  )
  t.equal(await uploadNewest(services), undefined, 'the bucket has it')
})

void t.test('a bucket without a key is a clear error', (t) => {
  const options = { ...services.config.options, 'backups.s3.secret_access_key': undefined }
  t.throws(() => openBucket({ ...services, config: { options } }), {
    code: 'backup_no_bucket',
    message: /is not complete/,
  })
  t.end()
})
