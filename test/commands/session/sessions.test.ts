import t from 'tap'
import { createAccount, createFindSessionAccount, startRefreshSession } from '../../../src/core/accounts/index.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testDatabase } from '../../support/database.ts'
import { testServices } from '../../support/services.ts'

void t.test('sessions are listed for all users or one, and ended by their id', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], { environment: database.environment })
  t.match(await run('session:list'), { code: 0, stdout: 'No user is signed in\n' })
  const make = async (username: string): Promise<string> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    return (await createAccount(services, input)).id
  }
  const [ann, bob] = [await make('ann'), await make('bob')]
  const { familyId: first } = await startRefreshSession(services, { accountId: ann })
  const { familyId: second } = await startRefreshSession(services, { accountId: bob })
  const list = async (...words: string[]) =>
    (JSON.parse((await run('session:list', ...words, '--json')).stdout) as { sessions: { id: string }[] }).sessions
  t.strictSame(new Set((await list()).map(({ id }) => id)), new Set([first, second]))
  t.match(await list('ann'), [{ id: first, user_id: ann, username: 'ann', created_at: /Z$/, expires_at: /Z$/ }])
  t.match(await run('session:kill', first), { code: 0, stdout: `${first} is ended.\n` })
  t.match(await list(), [{ id: second }])
  t.equal(
    await createFindSessionAccount(services)({ accountId: ann, sessionId: first }).catch(() => undefined),
    undefined,
  )
  for (const id of [first, 'x', '00000000-0000-4000-8000-000000000000']) {
    t.match(await run('session:kill', id), { code: 66, stderr: /sign_in_not_found/ })
  }
  t.equal((await run('session:list', 'nobody')).code, 66)
})
