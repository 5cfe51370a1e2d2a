import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import {
  createBackup,
  finishRestore,
  makeDueBackup,
  makeServerBackup,
  watchBackups,
} from '../../../../src/core/backups/index.ts'
import { createWebhook } from '../../../../src/core/webhooks/index.ts'
import { openDatabase, type Database } from '../../../../src/core/platform/database/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeUser } from '../../../support/catalogue-items.ts'
import { startFakeS3 } from '../../../support/fake-s3.ts'
import { dataDirectoryInMemory } from '../../../support/directories.ts'
import { copyPreparedCluster } from '../../../support/prepared-cluster.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/backup'

void t.test('backups over HTTP', async (t) => {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const s3 = await startFakeS3(t)
  s3.now = () => clock.now()
  const services = await testServices(t, { clock, environment: s3.environment })
  const app = await startApp(t, { services })
  const { account, token: first } = await app.registerAdmin()
  let token = first
  const folder = join(services.config.dataDirectory, 'backups')

  await t.test('an administrator makes a backup; the list has it with its checksum', async (t) => {
    t.match((await app.ask('GET', `${PATH}/list`, { token })).json, { success: true, data: [], count: 0 })
    const { status, json } = await app.ask('POST', `${PATH}/create`, { token, body: { label: 'by hand' } })
    t.equal(status, 200)
    t.match(json, {
      success: true,
      message: String,
      data: { backup_id: String, file_path: /backups\/phlix-/, size_bytes: Number },
    })
    t.match((await app.ask('GET', `${PATH}/list`, { token })).json, {
      count: 1,
      data: [
        {
          id: pick(json, 'data', 'backup_id'),
          label: 'by hand',
          size_bytes: pick(json, 'data', 'size_bytes'),
          checksum_sha256: /^[0-9a-f]{64}$/,
          is_s3: false,
          state: 'valid',
          expires_at: null,
          created_at: '2026-03-01T12:00:00.000Z',
        },
      ],
    })
    t.equal((await app.ask('POST', `${PATH}/create`, { token, body: { label: 'x'.repeat(201) } })).status, 400)
  })

  await t.test('the schedule has the documented defaults, and is changed within its limits', async (t) => {
    const { json } = await app.ask('GET', `${PATH}/schedule`, { token })
    t.match(json, {
      auto_backup_interval_days: 7,
      retention_count: 5,
      next_scheduled_backup: Date.parse('2026-03-08T12:00:00Z') / 1000,
      next_scheduled_backup_iso: '2026-03-08T12:00:00.000Z',
    })
    const put = (body: object) => app.ask('PUT', `${PATH}/schedule`, { token, body })
    t.match((await put({ auto_backup_interval_days: 1, retention_count: 2 })).json, {
      data: { auto_backup_interval_days: 1, retention_count: 2, next_scheduled_backup_iso: '2026-03-02T12:00:00.000Z' },
    })
    for (const body of [{ retention_count: 0 }, { auto_backup_interval_days: -1 }, { retention_count: '2' }]) {
      t.equal((await put(body)).status, 400, JSON.stringify(body))
    }
  })

  await t.test('a due backup is made, the oldest ones above the retention go, damaged ones stay', async (t) => {
    t.equal(await makeDueBackup(services), undefined, 'none is due')
    writeFileSync(join(folder, 'phlix-20200101T000000Z-0123456789ab.tar'), 'damaged')
    for (let day = 0; day < 3; day += 1) {
      clock.advance(86_400)
      t.match(await makeDueBackup(services), { label: 'scheduled' })
    }
    token = await app.signIn(account.id)
    const { json } = await app.ask('GET', `${PATH}/list`, { token })
    const states = (pick(json, 'data') as { state: string }[]).map(({ state }) => state)
    t.strictSame(states.toSorted(), ['damaged', 'valid', 'valid'])
    await app.ask('PUT', `${PATH}/schedule`, { token, body: { auto_backup_interval_days: 0 } })
    clock.advance(30 * 86_400)
    t.equal(await makeDueBackup(services), undefined, '0 days: none is made')
  })

  await t.test('a backup of the future neither stops the schedule nor displaces the one just made', async (t) => {
    token = await app.signIn(account.id)
    clock.advance(400 * 86_400)
    const future = await createBackup(services)
    clock.advance(-400 * 86_400)
    await app.ask('PUT', `${PATH}/schedule`, { token, body: { auto_backup_interval_days: 1, retention_count: 1 } })
    const made = await makeDueBackup(services)
    t.match(made, { label: 'scheduled' })
    token = await app.signIn(account.id)
    const { json } = await app.ask('GET', `${PATH}/list`, { token })
    const ids = (pick(json, 'data') as { id: string; state: string }[]).filter(({ state }) => state === 'valid')
    t.strictSame(
      ids.map(({ id }) => id),
      [future.id, made?.id],
    )
  })

  await t.test('a backup is deleted by its id only', async (t) => {
    token = await app.signIn(account.id)
    const { id } = await createBackup(services)
    t.equal((await app.ask('DELETE', `${PATH}/..%2F..%2Fconfig.toml`, { token })).status, 404)
    t.match(await app.ask('DELETE', `${PATH}/${id}`, { token }), { status: 200, json: { success: true } })
    t.match(await app.ask('DELETE', `${PATH}/${id}`, { token }), { status: 404, json: { code: 'backup_not_found' } })
  })

  await t.test('a folder with the name of an archive is not deleted', async (t) => {
    mkdirSync(join(folder, 'x.tar'))
    const { status, json } = await app.ask('DELETE', `${PATH}/x.tar`, { token })
    t.equal(status, 409)
    t.match(json, { code: 'backup_is_folder', message: /x\.tar is a folder/ })
    rmSync(join(folder, 'x.tar'), { recursive: true })
  })

  await t.test('a backup is uploaded, and the list marks it; a refusal of the bucket is a clear error', async (t) => {
    const { id, bytes, sha256 } = await createBackup(services)
    const upload = () => app.ask('POST', `${PATH}/${id}/upload-s3`, { token })
    const marked = async () =>
      (pick((await app.ask('GET', `${PATH}/list`, { token })).json, 'data') as { id: string; is_s3: boolean }[])
        .filter((row) => row.is_s3)
        .map((row) => row.id)
    t.strictSame(await marked(), [])
    const location = /^s3:\/\/backups\/phlix\/phlix-.*\.tar$/
    t.match(await upload(), {
      status: 200,
      json: {
        success: true,
        message: 'Backup uploaded',
        data: { backup_id: id, location, size_bytes: bytes, checksum_sha256: sha256 },
      },
    })
    t.strictSame(await marked(), [id])
    t.match(await upload(), { status: 200, json: { message: 'The bucket has this backup' } })
    t.match(await app.ask('POST', `${PATH}/0123456789ab/upload-s3`, { token }), { status: 404 })
    s3.fault = () => ({ status: 403, code: 'AccessDenied' })
    t.match(await upload(), { status: 500, json: { code: 'storage_denied', error: /refuses the access key/ } })
    t.strictSame(await marked(), [], 'a bucket that refuses marks none')
    s3.fault = () => undefined
  })

  await t.test('webhooks carry backups that were made and uploaded, and the first failure', async (t) => {
    await createWebhook(services, {
      name: 'b',
      url: 'https://example.org/',
      secret: 'a secret of a test',
      events: ['backup.completed', 'backup.failed'],
    })
    const facts = () => services.db.anyFirst(sql.unsafe`select facts from deliveries order by position`)
    clock.advance(3600)
    const { id } = await makeServerBackup(services, { label: 'told' })
    t.match(await facts(), [{ event: 'backup.completed', backupId: id, label: 'told', place: 'folder' }])
    const watch = watchBackups(services)
    s3.fault = () => ({ status: 403, code: 'AccessDenied' })
    await watch.run()
    await watch.run()
    t.match((await facts()).slice(1), [{ event: 'backup.failed', place: 'bucket', reason: /AccessDenied/ }])
    s3.fault = () => undefined
    await watch.run()
    await watch.stop()
    t.match((await facts()).slice(2), [{ event: 'backup.completed', backupId: id, place: 'bucket' }])
    token = await app.signIn(account.id)
  })

  await t.test('with an external database a restore is refused; the message has the command', async (t) => {
    const { id } = await createBackup(services)
    app.lifecycle.restart = () => t.fail('it would restart')
    const { status, json } = await app.ask('POST', `${PATH}/${id}/restore`, { token })
    t.equal(status, 503)
    t.match(json, { code: 'restore_in_use', message: new RegExp(`phlix backup:restore ${id} --force`) })
    t.strictSame(
      readdirSync(services.config.dataDirectory).filter((name) => name.startsWith('restore')),
      [],
    )
  })
})

void t.test('a restore over HTTP loads the backup beside the live data, and the next run has it', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  await copyPreparedCluster(dataDirectory)
  const services = await testServices(t, { dataDirectory })
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()
  const usersOf = (db: Database) => db.anyFirst(sql.unsafe`select username from users order by 1`)
  const before = await usersOf(services.db)
  const { id } = await createBackup(services)
  await makeUser(services.db, 'later')
  const restore = () => app.ask('POST', `${PATH}/${id}/restore`, { token })

  app.lifecycle.restart = () => {
    throw new Error('no new run')
  }
  t.equal((await restore()).status, 500)
  const restoreFiles = () => readdirSync(dataDirectory).filter((name) => name.startsWith('restore'))
  t.strictSame(restoreFiles(), [], 'without a restart everything is undone')

  let restarts = 0
  app.lifecycle.restart = () => {
    restarts += 1
  }
  t.match(await restore(), { status: 200, json: { success: true } })
  t.equal(restarts, 1)
  t.match(await restore(), { status: 503, json: { code: 'restore_in_use' } }, 'one restore at a time')
  t.equal((await usersOf(services.db)).length, before.length + 1, 'the live data are used until the restart')

  await services.close()
  t.equal(await finishRestore({ dataDirectory }), true)
  const database = await openDatabase({ config: services.config, log: services.log })
  t.strictSame(await usersOf(database.pool), before)
  await database.close()
  t.strictSame(restoreFiles(), [])
})
