import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

void t.test('the setup code is the same each time, and there is none once there is an account', async (t) => {
  const { pool: db, environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) => runPhlix(['setup:code', ...words, '--data-dir', data], { environment })
  const first = await run()
  t.equal(first.code, 0)
  t.match(first.stdout, /^[a-z0-9]{6}(-[a-z0-9]{6}){3}\n$/)
  t.match(first.stderr, /^Open http:\/\/\S+:8096\/#setup=[a-z0-9-]+ to make the administrator\n$/)
  t.match(await run('--quiet'), { stdout: first.stdout, stderr: '' })
  t.strictSame(JSON.parse((await run('--json')).stdout), {
    schema: 'setup.code/1',
    setup_code: first.stdout.trim(),
    url: /Open (\S+) to make the administrator/.exec(first.stderr)?.[1],
    warnings: [],
  })
  const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse', isAdmin: true }
  await createAccount({ db, clock: systemClock, passwordHashing: cheapPasswordHashing() }, account)
  const done = await run()
  t.equal(done.code, 1)
  t.equal(done.stdout, '')
  t.match(done.stderr, /An account already exists/)
})
