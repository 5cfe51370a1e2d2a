import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createAccount, setAccess } from '../../../src/core/accounts/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

void t.test('links are created, listed and revoked', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], {
      environment: { ...database.environment, PHLIX_LOG_TO_FILE: 'on' },
    })
  const { id: accountId } = await createAccount(services, {
    username: 'ann',
    email: 'ann@example.test',
    password: 'correct horse',
    isAdmin: false,
  })
  const [item = ''] = await makeItems(services.db, reachableDirectory(t), [{ name: 'A film' }])
  t.match(await run('share:list'), { code: 0, stdout: 'No share links: phlix share:create\n' })
  const { code, stdout } = await run('share:create', item, '--user', 'ann', '--max-uses', '3', '--quiet')
  t.equal(code, 0)
  t.match(stdout, /^http:\/\/[\w.:[\]]+:8096\/s#[\w-]{43}\n$/)
  const listed = JSON.parse((await run('share:list', '--user', 'ann', '--json')).stdout) as { shares: { id: string }[] }
  t.match(listed.shares, [
    { username: 'ann', title: 'A film', kind: 'item', max_uses: 3, uses: 0, has_password: false },
  ])
  t.match(await run('share:list'), { stdout: /A film/ })
  t.match((await run('share:list', '--plain')).stdout, /\t0\/3\tno\tno\tnever/)
  t.match(
    (await run('share:create', item, '--user', 'ann')).stdout,
    /opens only (?:in your network|on this machine)\. For people elsewhere set server\.public_url/,
  )
  t.equal((await run('share:create', '--user', 'ann')).code, 2)
  t.equal((await run('share:create', item, '--album', item, '--user', 'ann')).code, 2)
  t.equal((await run('share:create', item, '--user', 'ann', '--password', 'abc')).code, 2)
  t.equal((await run('share:create', '--collection', item, '--user', 'ann')).code, 66)
  t.equal((await run('share:create', item, '--user', 'nobody')).code, 66)
  const id = listed.shares[0]?.id ?? ''
  t.match(await run('share:revoke', id), { code: 0, stdout: `Revoked ${id}.\n` })
  t.match(await run('share:revoke', id), { code: 0, stderr: '' })
  t.match(await run('share:revoke', item), { code: 66, stderr: /share_not_found/ })
  const logs = join(services.config.dataDirectory, 'logs')
  const logged = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))
  t.match(logged.join(''), new RegExp(`share_created.*${id}[^]*share_revoked.*${id}`))
  await setAccess(services, { accountId, changes: { libraryIds: [] } })
  t.match(await run('share:create', item, '--user', 'ann'), { code: 66, stderr: /share_subject_not_found/ })
  t.notMatch((await run('share:list')).stdout, /A film/)
})
