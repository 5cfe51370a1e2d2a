import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

const FIRST = '++++//8='
const SECOND = 'AQID'

/** A database with two accounts: ada, who has two passkeys, and bob, who has one. */
async function setUp(t: Test) {
  const { pool: db, environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const create = (username: string) =>
    createAccount(
      { db, clock: systemClock, passwordHashing: cheapPasswordHashing() },
      { username, email: `${username}@example.org`, password: 'correct horse', isAdmin: false },
    )
  const [ada, bob] = [await create('ada'), await create('bob')]
  for (const [id, owner, day] of [
    [FIRST, ada.id, 1],
    [SECOND, ada.id, 2],
    ['BAUG', bob.id, 3],
  ] as const) {
    await db.query(sql.unsafe`
      insert into passkeys (credential_id, user_id, public_key, counter, transports, device_type, aaguid, registered_at)
      values (decode(${id}, 'base64'), ${owner}, '\\x00', 0, '{internal}', 'platform', repeat('0', 32), make_date(2026, 1, ${day}))`)
  }
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  const idsOf = async (user: string): Promise<string[]> => {
    const { stdout } = await run('user:passkeys', user, '--json')
    const { passkeys } = JSON.parse(stdout) as { passkeys: { credential_id: string }[] }
    return passkeys.map((passkey) => passkey.credential_id)
  }
  return { run, idsOf, db }
}

void t.test('the passkeys of an account are listed, named in any case', async (t) => {
  const { run, idsOf } = await setUp(t)
  t.strictSame(await idsOf('ADA@example.org'), [FIRST, SECOND])
  const json = await run('user:passkeys', 'ada', '--json')
  t.match(JSON.parse(json.stdout), {
    schema: 'user.passkeys/1',
    user: { username: 'ada' },
    removed: null,
    passkeys: [
      {
        credential_id: FIRST,
        device_type: 'platform',
        aaguid: '0'.repeat(32),
        transports: ['internal'],
        registered_at: '2026-01-01T00:00:00.000Z',
        last_used_at: null,
      },
    ],
  })
  const plain = await run('user:passkeys', 'ada', '--plain')
  t.equal(
    plain.stdout,
    `platform\t2026-01-01T00:00:00.000Z\tnever\t${FIRST}\nplatform\t2026-01-02T00:00:00.000Z\tnever\t${SECOND}\n`,
  )
  t.match((await run('user:passkeys', 'ada')).stdout, /^KIND +REGISTERED +LAST USED +ID\nplatform /)
})

void t.test('one is removed by its id in either alphabet, the last one too', async (t) => {
  const { run, idsOf } = await setUp(t)
  const removal = await run('user:passkeys', 'ada', '--remove', '----__8')
  t.equal(removal.code, 0, removal.stderr)
  t.strictSame(await idsOf('ada'), [SECOND])
  const last = await run('user:passkeys', 'ada', '--remove', SECOND)
  t.equal(last.code, 0)
  t.equal(last.stdout, 'ada has no passkeys.\n')
  t.strictSame(await idsOf('bob'), ['BAUG'])
})

void t.test('an unknown account, an unknown passkey and a passkey of another account exit 66', async (t) => {
  const { run, idsOf } = await setUp(t)
  const nobody = await run('user:passkeys', 'nobody', '--json')
  t.equal(nobody.code, 66)
  t.match(JSON.parse(nobody.stdout), { error: { code: 'account_not_found' } })
  for (const id of ['BAUG', 'AAAA', 'no base64']) {
    const { code, stdout } = await run('user:passkeys', 'ada', '--remove', id, '--json')
    t.equal(code, 66, id)
    t.match(JSON.parse(stdout), { error: { code: 'passkey_not_found' } })
  }
  t.strictSame(await idsOf('bob'), ['BAUG'])
})

void t.test('a password reset keeps passkeys and says so; on request it removes them', async (t) => {
  const { run, idsOf } = await setUp(t)
  const kept = await run('user:reset-password', 'ada')
  t.match(
    kept.stdout,
    /all sessions ended\.\nPasskeys that still open it .*:\nKIND .*\nplatform .*\n.*\nPassword, shown only now/,
  )
  t.strictSame(await idsOf('ada'), [FIRST, SECOND])
  const removed = await run('user:reset-password', 'ada', '--remove-passkeys', '--json')
  t.match(JSON.parse(removed.stdout), { passkeys_kept: 0, passkeys_removed: 2 })
  t.strictSame(await idsOf('ada'), [])
  t.strictSame(await idsOf('bob'), ['BAUG'])
})
