import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  changeSchedule,
  createBackup,
  describeBackup,
  downloadBackup,
  readOrCreateInstallationId,
  listBucket,
  openBucket,
  pruneBucket,
  uploadBackup,
  uploadNewest,
  type Bucket,
} from '../../../../src/core/backups/index.ts'
import { computePartBytes } from '../../../../src/core/backups/remote/part-size.ts'
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
const installationId = await readOrCreateInstallationId(services.config)
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
    t.ok(Math.ceil(bytes / computePartBytes(bytes)) <= 10_000, String(bytes))
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
  await t.rejects(downloadBackup(bucket, { config, id: large.id, folder: other }), { code: 'backup_damaged' })
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
  t.match(await pruneBucket(bucket, { rules: { last: 1 }, installationId }), [{ isKept: true }])
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

void t.test('parts of killed uploads go after a week, those of others stay', async (t) => {
  empty()
  const started = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  s3.uploads.set('old', { key: 'phlix/phlix-1.tar', startedAt: started(7 * 24 + 1), parts: new Map() })
  s3.uploads.set('new', { key: 'phlix/phlix-2.tar', startedAt: started(7 * 24 - 1), parts: new Map() })
  s3.uploads.set('foreign', { key: 'phlix/film.mkv', startedAt: started(7 * 24 + 1), parts: new Map() })
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

void t.test('a copy that was cut in the bucket is sent again by the server', async (t) => {
  empty()
  t.match(await uploadNewest(services), { isNew: true })
  const stored = s3.objects.get(`phlix/${nameOf(large.path)}`)
  if (stored !== undefined) stored.content = stored.content.subarray(0, 1000)
  t.match(await uploadNewest(services), { isNew: true, bytes: large.bytes })
  t.match(await listBucket(bucket), [{ state: 'valid', bytes: large.bytes }])
})

void t.test('servers that share a bucket do not prune the backups of each other', async (t) => {
  empty()
  await upload(small)
  const key = `phlix/${nameOf(small.path)}.json`
  const original = JSON.parse(s3.objects.get(key)?.content.toString() ?? '') as { installation_id?: string }
  t.equal(original.installation_id, installationId)
  const describedBy = (installation_id: string | undefined) =>
    s3.objects.set(key, {
      content: Buffer.from(JSON.stringify({ ...original, installation_id })),
      etag: '',
      modifiedAt: clock.now(),
    })
  await changeSchedule(services, { retention: 1 })
  for (const other of ['0b9d1b52-3d2e-4d39-9e05-f3a2a3c7a9d1', undefined]) {
    describedBy(other)
    s3.objects.delete(`phlix/${nameOf(large.path)}.json`)
    await uploadNewest(services)
    t.strictSame(
      (await listBucket(bucket)).map(({ id }) => id),
      [large.id, small.id],
      String(other),
    )
    t.match(await pruneBucket(bucket, { rules: { last: 1 }, installationId }), [{ isKept: true }, { isKept: true }])
  }
  const all = await pruneBucket(bucket, { rules: { last: 1 }, installationId: undefined, isDryRun: true })
  t.match(all, [{ isKept: true }, { isKept: false }], 'those of all servers, if that is wanted')
  describedBy(installationId)
  await pruneBucket(bucket, { rules: { last: 1 }, installationId })
  t.match(await listBucket(bucket), [{ id: large.id }])
})

void t.test(
  'an installation has one id, which concurrent processes agree on; a file without one is an error',
  async (t) => {
    const dataDirectory = join(reachableDirectory(t), 'data')
    const ids = await Promise.all(Array.from({ length: 5 }, () => readOrCreateInstallationId({ dataDirectory })))
    t.match(ids[0], /^[0-9a-f-]{36}$/)
    t.equal(new Set([...ids, await readOrCreateInstallationId({ dataDirectory })]).size, 1)
    t.strictSame(readdirSync(dataDirectory), ['installation-id'])
    const path = join(dataDirectory, 'installation-id')
    t.equal(statSync(path).mode & 0o777, 0o600)
    for (const text of ['', 'x'.repeat(36), '0'.repeat(37), '../..']) {
      writeFileSync(path, text)
      await t.rejects(
        readOrCreateInstallationId({ dataDirectory }),
        { code: 'backup_installation_id' },
        JSON.stringify(text),
      )
    }
  },
)

void t.test(
  'an object has the name of its backup, whatever the file is called; another archive is not overwritten',
  async (t) => {
    empty()
    const folder = reachableDirectory(t)
    const paths = [small, large].map(({ path }, index) => {
      mkdirSync(join(folder, String(index)))
      const renamed = join(folder, String(index), 'backup.tar')
      copyFileSync(path, renamed)
      return renamed
    })
    for (const path of paths) t.match(await upload({ path }), { isNew: true })
    t.strictSame(
      (await listBucket(bucket)).map(({ name }) => name),
      [nameOf(large.path), nameOf(small.path)],
    )
    t.match(await upload(large), { isNew: false, name: nameOf(large.path) })
    const key = `phlix/${nameOf(small.path)}`
    const sidecar = JSON.parse(s3.objects.get(`${key}.json`)?.content.toString() ?? '') as object
    const other = { ...sidecar, sha256: '0'.repeat(64) }
    s3.objects.set(`${key}.json`, { content: Buffer.from(JSON.stringify(other)), etag: '', modifiedAt: clock.now() })
    s3.requests.length = 0
    await t.rejects(upload(small), { code: 'backup_exists', message: /is another archive/ })
    t.strictSame(
      s3.requests.filter((request) => /^(PUT|DELETE|POST) /.test(request)),
      [],
    )
  },
)

void t.test('a download replaces no other file, and nothing of a damaged archive is left', async (t) => {
  empty()
  const { config } = services
  const folder = reachableDirectory(t)
  await upload(small)
  const name = nameOf(small.path)
  const path = join(folder, name)
  const key = `phlix/${name}`
  const sidecar = s3.objects.get(`${key}.json`)
  for (const isDescribed of [true, false]) {
    if (!isDescribed) s3.objects.delete(`${key}.json`)
    const id = isDescribed ? small.id : name
    writeFileSync(path, 'mine')
    await t.rejects(downloadBackup(bucket, { config, id, folder }), { code: 'backup_exists' })
    t.equal(readFileSync(path, 'utf8'), 'mine')
    t.strictSame(readdirSync(folder), [name])
    copyFileSync(small.path, path)
    t.match(await downloadBackup(bucket, { config, id, folder }), { state: 'valid' }, 'the same content')
  }
  rmSync(path)
  const stored = s3.objects.get(key)
  if (stored !== undefined) stored.content = Buffer.concat([stored.content.subarray(0, 1000), Buffer.alloc(9000)])
  await t.rejects(
    downloadBackup(bucket, { config, id: name, folder }),
    { code: 'backup_damaged' },
    'no checksum is there',
  )
  t.strictSame(readdirSync(folder), [])
  if (sidecar !== undefined) s3.objects.set(`${key}.json`, sidecar)
  await t.rejects(downloadBackup(bucket, { config, id: small.id, folder }), { code: 'backup_damaged' })
  t.strictSame(readdirSync(folder), [])
})

void t.test('the description of an encrypted archive comes with it, and not without it', async (t) => {
  empty()
  const { config } = services
  const encrypted = await createBackup(services, { passphrase: 'correct horse', folder: reachableDirectory(t) })
  await upload(encrypted)
  const name = nameOf(encrypted.path)
  const folder = reachableDirectory(t)
  t.match(await downloadBackup(bucket, { config, id: encrypted.id, folder }), { state: 'valid', isEncrypted: true })
  t.strictSame(readdirSync(folder).toSorted(), [name, `${name}.json`])
  const stored = s3.objects.get(`phlix/${name}`)
  stored?.content.writeUInt8(stored.content.readUInt8(5000) ^ 1, 5000)
  const other = reachableDirectory(t)
  await t.rejects(downloadBackup(bucket, { config, id: encrypted.id, folder: other }), { code: 'backup_damaged' })
  t.strictSame(readdirSync(other), [])
})

void t.test('an abort does not wait for a bucket that is silent', async (t) => {
  empty()
  const stop = new AbortController()
  s3.fault = ({ method, query }) => {
    if (query.get('partNumber') === '2') stop.abort(new Error('stopped'))
    return method === 'DELETE' ? { hangs: true } : undefined
  }
  const hurried = openBucket(services, { retryMilliseconds: 1, cleanupMilliseconds: 50 })
  const work = uploadBackup(hurried, services, { backup: await describe(large), signal: stop.signal })
  await t.rejects(work, { message: 'stopped' })
})

void t.test('a bucket without a key is a clear error', (t) => {
  const options = { ...services.config.options, 'backups.s3.secret_access_key': undefined }
  t.throws(() => openBucket({ ...services, config: { options } }), {
    code: 'backup_no_bucket',
    message: /is not complete/,
  })
  t.end()
})
