import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

void t.test('profiles are made, limited, given a PIN and deleted by name', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], { environment: database.environment })
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  await createAccount(services, input)
  t.match(await run('profile:create', 'ann', 'Kim', '--kids'), { code: 0, stdout: /up to 7, unrated hidden/ })
  t.match(await run('profile:list', 'ANN@example.test', '--plain'), { code: 0, stdout: /\tKim\tkids\t\tup to 7/ })
  t.match(await run('profile:update', 'ann', 'kim', '--max-rating', 'PG-13', '--json'), { stdout: /"max_age": ?13/ })
  t.match(await run('profile:update', 'ann', 'kim', '--no-max-rating'), { code: 0, stdout: /sees: everything/ })
  t.match(await run('profile:update', 'ann', 'ann', '--kids'), { code: 1, stderr: /main profile/ })
  t.match(await run('profile:pin', 'ann', 'kim', '--remove'), { code: 0, stdout: 'Kim has no PIN.\n' })
  t.match(await run('profile:explain', 'ann', 'kim', 'x'), { code: 66, stderr: /media_item_not_found/ })
  t.match(await run('profile:delete', 'ann', 'kim', '--dry-run'), { code: 0, stdout: /would be deleted/ })
  t.match(await run('profile:delete', 'ann', 'kim', '--yes'), { code: 0, stdout: 'Deleted Kim.\n' })
  t.match(await run('profile:delete', 'ann', 'kim', '--yes'), { code: 66, stderr: /profile_not_found/ })
  t.equal((await run('profile:list', 'nobody')).code, 66)
})
