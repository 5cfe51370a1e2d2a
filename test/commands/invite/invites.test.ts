import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

void t.test('invites are made, listed and revoked; their codes are printed once', async (t) => {
  const { environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  t.match((await run('invite:list')).stdout, /No invites/)
  const quiet = await run('invite:create', '--quiet')
  t.match(quiet.stdout, /^[\w-]{32}\n$/)
  const made = JSON.parse((await run('invite:create', '--days', '30', '--json')).stdout) as {
    invite: { id: string; created_at: string; expires_at: string }
    invite_code: string
  }
  const days = (Date.parse(made.invite.expires_at) - Date.parse(made.invite.created_at)) / 86_400_000
  t.equal(Math.round(days), 30)
  const plain = (await run('invite:list', '--plain')).stdout
  t.equal(plain.trim().split('\n').length, 2)
  t.ok(plain.startsWith(made.invite.id), 'the newest first')
  t.notMatch(plain, made.invite_code)
  t.equal((await run('invite:revoke', made.invite.id)).code, 0)
  t.equal((await run('invite:revoke', made.invite.id)).code, 66)
  t.equal((await run('invite:revoke', 'x')).code, 66)
  t.equal((await run('invite:list', '--plain')).stdout.trim().split('\n').length, 1)
})

void t.test('an invite lasts one to 365 days', async (t) => {
  const data = await temporaryDataDirectory(t)
  for (const days of ['0', '366', '-1', '1.5', 'x']) {
    t.equal((await runPhlix(['invite:create', `--days=${days}`, '--data-dir', data])).code, 2, days)
  }
})

void t.test('an invite is printed as a link, with its limits', async (t) => {
  const { environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', data], {
      environment: { ...environment, PHLIX_PUBLIC_URL: 'https://media.example.test/' },
    })
  t.match(await run('invite:create', '--max-rating', '12', '--max-uses', '3'), {
    code: 0,
    stdout:
      /: https:\/\/media\.example\.test\/#invite=[\w-]{32}\nWho registers with it sees: up to 12, unrated hidden\.\n$/,
  })
  t.match((await run('invite:list', '--plain')).stdout, /\t0 of 3\t\tup to 12, unrated hidden\n/)
  t.match(await run('invite:create', '--library', 'None'), { code: 66, stderr: /"None".*library:list/s })
  const folder = reachableDirectory(t)
  await run('library:create', 'Cartoons', '--type', 'movie', '--path', folder, '--no-scan')
  t.match(await run('invite:create', '--library', 'cartoons'), {
    stdout: /\nWho registers with it sees: 1 library \(Cartoons\)\.\n$/,
  })
  t.match((await run('invite:list', '--plain')).stdout, /\t1 library \(Cartoons\)\n/)
  t.equal((await run('invite:create', '--max-uses', '1001')).code, 2)
})
