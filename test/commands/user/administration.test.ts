import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
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

void t.test('user:link needs to be told what to do, and knows the providers', async (t) => {
  t.match(await run('user:link', 'ada'), { code: 2, stderr: /--provider and --subject.*--remove/ })
  t.match(await run('user:link', 'ada', '--provider', 'ldap', '--subject', 'x'), {
    code: 2,
    stderr: /No sign-in provider is configured/,
  })
  const configured = (...words: string[]) =>
    runPhlix(['user:link', 'ada', ...words, '--data-dir', data], {
      environment: { ...environment, PHLIX_OIDC_ISSUER: 'https://auth.example.test' },
    })
  t.match(await configured('--provider', 'ldap', '--subject', 'x'), {
    code: 2,
    stderr: /none of https:\/\/auth\.example\.test/,
  })
  const link = ['--provider', 'https://auth.example.test/', '--subject', '8f1c']
  t.match(await configured(...link), { code: 0, stdout: 'ada is now linked to 8f1c of https://auth.example.test/.\n' })
  t.match((await configured(...link)).stdout, /^ada is already linked to 8f1c/)
  t.match(await configured(...link, '--remove'), { code: 2, stderr: /Give only one of --remove and --provider/ })
  t.match(await configured(), { code: 2, stderr: /user:show/ }, 'the link stays')
  t.match(await configured('--remove'), { code: 0, stdout: /^ada is linked to no provider any more; all its sessions/ })
  t.match(await configured('--remove'), { code: 0, stdout: 'ada was linked to no provider; nothing changed.\n' })
})

void t.test('user:rescue says what the account is for, and whether there is one', async (t) => {
  t.match(await run('user:rescue'), {
    code: 0,
    stdout: 'No rescue account is named: phlix user:rescue NAME names one.\n',
  })
  t.match(await run('user:rescue', 'ada'), { code: 0, stdout: /^ada is the rescue account: it can sign in/ })
  t.match(await run('user:rescue', '--none'), {
    code: 0,
    stdout: /^ada is not the rescue account any more; .*user:rescue NAME/,
  })
  t.match(await run('user:rescue', '--none'), { code: 0, stdout: 'No rescue account was named; nothing changed.\n' })
  const withProvider = { ...environment, PHLIX_OIDC_ISSUER: 'https://auth.example.test', PHLIX_OIDC_CLIENT_ID: 'x' }
  const off = { ...withProvider, PHLIX_PUBLIC_URL: 'https://media.example.test', PHLIX_LOCAL_SIGN_IN: 'off' }
  const whileOff = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment: off })
  t.match(await whileOff('user:rescue', '--none'), {
    code: 0,
    stderr: /Local sign-in is off: .*phlix user:rescue NAME/,
  })
  await whileOff('user:link', 'ada', '--provider', 'https://auth.example.test', '--subject', 'x')
  await whileOff('user:rescue', 'ada')
  t.match(await whileOff('user:rescue', '--none'), { code: 1, stderr: /rescue_account_needed/ })
  t.match(await whileOff('user:rescue'), { stdout: /^ada is the rescue account/ })
  t.match(await whileOff('user:rescue', '--none', '--accept-sign-in-risk'), { code: 0, stdout: /not the rescue/ })
})

void t.test('a user is an argument or --user, not both', async (t) => {
  for (const command of ['device:list', 'apikey:list', 'session:list', 'scrobbler:list']) {
    t.equal((await run(command, 'ada')).code, 0, command)
    t.equal((await run(command, '--user', 'ada')).code, 0, command)
    t.match(await run(command, 'ada', '--user', 'ada'), { code: 2, stderr: /Give only one of USER and --user/ })
  }
  t.match(await run('device:list'), { code: 0 }, 'of all users')
})

void t.test(
  'user:reset-password lists the API keys that still open the account, and revokes them if asked',
  async (t) => {
    await run('apikey:create', 'Home Assistant', '--user', 'ada', '--scope', 'read')
    t.match(await run('user:reset-password', 'ada'), {
      code: 0,
      stdout:
        /API keys that still open it \(--revoke-api-keys revokes them\):\n[\w-]{36} {2}Home Assistant \(phlix_\w{4}…\)\n/,
    })
    t.match(await run('user:reset-password', 'ada', '--revoke-api-keys'), { stdout: /API keys revoked: 1\./ })
    t.match(JSON.parse((await run('apikey:list', '--json')).stdout), { api_keys: [] })
  },
)

void t.test('the help of a command says what a second run does', async (t) => {
  t.match((await run('apikey:revoke', '--help')).stdout, /A second run changes nothing and fails: it finds nothing\./)
  t.match(
    (await run('apikey:create', '--help')).stdout,
    /Not safe to run again.*77 +missing permission|77 +missing permission.*Not safe/s,
  )
  t.match((await run('user:create', '--help')).stdout, /66 +no such library/)
})

void t.test('user:show and user:export show everything but secrets', async (t) => {
  await run('apikey:create', 'Script', '--user', 'ada', '--scope', 'read')
  const { stdout } = await run('user:show', 'ada')
  t.match(stdout, /^id +[\w-]{36}\nusername +ada\n/)
  t.match(
    stdout,
    /\nrole +administrator\n.*\nsees +everything\n.*\nprofiles\n {2}ada \(main\): everything of the account\n.*\npasskeys +none\nAPI keys\n {2}[\w-]{36} {2}Script \(phlix_/s,
  )
  t.match(JSON.parse((await run('user:show', 'ada', '--json')).stdout), { api_keys: [{ name: 'Script' }], links: [] })
  const file = join(data, 'ada.json')
  t.match(await run('user:export', 'ada', '--output', file), { code: 0, stdout: /^Wrote \d+ bytes about ada to / })
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.match(JSON.parse(await readFile(file, 'utf8')), { format: 'phlix-account/1', account: { username: 'ada' } })
  t.match(await run('user:export', 'ada', '--output', file), { code: 2, stderr: /exists already/ })
  t.match(await run('user:export', 'ada', '--output', join(data, 'none', 'x')), { code: 2, stderr: /does not exist/ })
  t.match(await run('user:export', 'nobody', '--output', join(data, 'x.json')), { code: 66 })
  t.match(await run('user:show', 'nobody'), { code: 66 })
})
