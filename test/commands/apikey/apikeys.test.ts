import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

void t.test('keys are created, listed and revoked', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], { environment: database.environment })
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount(services, input)
  t.match(await run('apikey:list'), { code: 0, stdout: 'No API keys: phlix apikey:create\n' })
  const create = ['apikey:create', 'Script', '--user', 'ann']
  const { code, stdout } = await run(...create, '--scope', 'read', '--scope', 'play', '--days', '30', '--quiet')
  t.equal(code, 0)
  t.match(stdout, /^phlix_[0-9A-Za-z]{49}\n$/)
  t.match(await services.keyAccounts.use({ key: stdout.trim(), usedFrom: '192.0.2.1' }), { account: { id: accountId } })
  const listed = JSON.parse((await run('apikey:list', '--user', 'ann', '--json')).stdout) as {
    api_keys: { id: string }[]
  }
  t.match(listed.api_keys, [{ username: 'ann', name: 'Script', scopes: ['read', 'play'], expires_at: /Z$/ }])
  t.match(
    (await run(...create, '--scope', 'read', '--days', '2')).stdout,
    /^The key “Script”, which expires \d{4}-.*Z, shown only/,
  )
  await services.db.query(
    sql.unsafe`update api_keys set expires_at = created_at + interval '1 ms' where name = 'Script'`,
  )
  t.match((await run('apikey:list', '--plain')).stdout, /\t\d{4}-\S+Z \(expired\)\tnever/)
  t.match(await run(...create, '--scope', 'admin'), { stderr: /scope_not_permitted/ })
  t.equal((await run(...create, '--scope', 'root')).code, 2)
  t.equal((await run('apikey:create', 'x', '--user', 'nobody', '--scope', 'read')).code, 66)
  const id = listed.api_keys[0]?.id ?? ''
  t.match(await run('apikey:revoke', id), { code: 0, stdout: `Revoked ${id}.\n` })
  t.match(await run('apikey:revoke', id), { code: 66, stderr: /api_key_not_found/ })
})
