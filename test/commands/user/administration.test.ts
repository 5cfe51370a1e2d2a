import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })

type Rows = { users: Record<string, unknown>[] }

void t.test('without accounts the list says how to make one', async (t) => {
  t.match(await run('user:list'), { code: 0, stdout: /^No account yet: phlix user:create / })
  t.match(await run('user:list', '--plain'), { code: 0, stdout: /^\n?$/ })
})

void t.test('user:list shows every account, as a table, as plain rows and as JSON', async (t) => {
  await run('user:create', 'ada', '--email', 'ada@example.org', '--admin')
  await run('user:create', 'Bob', '--email', 'bob@example.org')
  const table = (await run('user:list')).stdout
  t.match(table, /^ID +USERNAME +EMAIL +ADMIN +STATUS +CREATED +LAST LOGIN +ACCESS\n/)
  t.match(table, /ada +ada@example\.org +yes +active +\d{4}-\S+Z +never +everything\n/)
  const plain = (await run('user:list', '--plain')).stdout.trim().split('\n')
  t.strictSame(
    plain.map((row) => row.split('\t').slice(1, 5)),
    [
      ['ada', 'ada@example.org', 'yes', 'active'],
      ['Bob', 'bob@example.org', 'no', 'active'],
    ],
  )
  const { users } = JSON.parse((await run('user:list', '--json')).stdout) as Rows
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  t.match(users, [
    { username: 'ada', is_admin: true, status: 'active', created_at: time, updated_at: time, last_login: null },
    { username: 'Bob', is_admin: false },
  ])
  t.notMatch(JSON.stringify(users), 'argon2')
})

void t.test('user:set-admin grants and revokes the role, by any name', async (t) => {
  t.match(await run('user:set-admin', 'BOB@example.org'), { code: 0, stdout: 'Bob is now an administrator.\n' })
  t.match(await run('user:set-admin', 'bob'), { code: 0, stdout: 'Bob is already an administrator.\n' })
  const { stdout } = await run('user:set-admin', 'bob', '--remove', '--json')
  t.match(JSON.parse(stdout), { user: { username: 'Bob', is_admin: false }, changed: true })
})

void t.test('user:disable and user:enable deny and allow sign-in', async (t) => {
  t.match(await run('user:disable', 'bob'), { code: 0, stdout: 'Bob is now disabled; all sessions ended.\n' })
  t.match(await run('user:disable', 'bob'), { code: 0, stdout: /already disabled/ })
  t.match(JSON.parse((await run('user:list', '--json')).stdout), { users: [{}, { status: 'disabled' }] })
  t.match(JSON.parse((await run('user:enable', 'bob', '--json')).stdout), { user: { status: 'active' }, changed: true })
  t.match(await run('user:enable', 'bob'), { code: 0, stdout: 'Bob is already active.\n' })
})

void t.test('the last administrator can be neither disabled nor demoted: 1, with what to do first', async (t) => {
  for (const words of [
    ['user:disable', 'ada'],
    ['user:set-admin', 'ada', '--remove'],
    ['user:delete', 'ada', '--yes'],
  ]) {
    const { code, stdout } = await run(...words, '--json')
    t.equal(code, 1)
    t.match(JSON.parse(stdout), { error: { code: 'last_administrator', exit: 1, hint: /user:set-admin/ } })
  }
  t.match(JSON.parse((await run('user:list', '--json')).stdout), { users: [{ is_admin: true, status: 'active' }, {}] })
})

void t.test('an unknown account exits 66, none 2', async (t) => {
  for (const word of ['user:set-admin', 'user:disable', 'user:enable', 'user:reset-password', 'user:delete']) {
    const { code, stdout } = await run(word, 'nobody', '--json')
    t.equal(code, 66, word)
    t.match(JSON.parse(stdout), { error: { code: 'account_not_found', exit: 66, hint: 'phlix user:list' } })
    t.equal((await run(word)).code, 2, `${word} without a name`)
  }
})

void t.test('user:delete asks, and without a terminal needs --yes', async (t) => {
  const usernames = async () => {
    const { users } = JSON.parse((await run('user:list', '--json')).stdout) as { users: { username: string }[] }
    return users.map(({ username }) => username)
  }
  t.match(await run('user:delete', 'bob'), { code: 2, stderr: /Bob \(.*would be deleted with all positions.*--yes/s })
  t.match(JSON.parse((await run('user:delete', 'bob', '-n', '--json')).stdout), { deleted: false, dry_run: true })
  t.strictSame(await usernames(), ['ada', 'Bob'])
  t.match(await run('user:delete', 'bob', '--yes'), { code: 0, stdout: 'Deleted Bob.\n' })
  t.strictSame(await usernames(), ['ada'])
})
