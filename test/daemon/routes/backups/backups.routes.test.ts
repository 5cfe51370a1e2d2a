import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createBackup, makeDueBackup } from '../../../../src/core/backups/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/backup'

void t.test('backups over HTTP', async (t) => {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const services = await testServices(t, { clock })
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

  await t.test('a backup is deleted by its id only', async (t) => {
    token = await app.signIn(account.id)
    const { id } = await createBackup(services)
    t.equal((await app.ask('DELETE', `${PATH}/..%2F..%2Fconfig.toml`, { token })).status, 404)
    t.match(await app.ask('DELETE', `${PATH}/${id}`, { token }), { status: 200, json: { success: true } })
    t.match(await app.ask('DELETE', `${PATH}/${id}`, { token }), { status: 404, json: { code: 'backup_not_found' } })
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
