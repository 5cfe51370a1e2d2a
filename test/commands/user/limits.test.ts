import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

void t.test('an account is made with limits of playing, which all commands show, and loses them', async (t) => {
  const { environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  const limits = ['--max-streams', '2', '--max-bandwidth', '8000', '--schedule', 'daily 06:00-24:00', '--no-download']
  const shown = 'everything, at most 2 streams and 8000 kbit/s, plays only daily 06:00-24:00, no downloads'
  const made = await run('user:create', 'kim', '--email', 'kim@example.org', ...limits)
  t.ok(made.stdout.startsWith(`Created kim, who sees: ${shown}. Sign in at http://`), made.stdout + made.stderr)
  t.ok((await run('user:list', '--plain')).stdout.includes(`\t${shown}\n`))
  t.ok((await run('user:show', 'kim')).stdout.includes(`\nsees        ${shown}\n`))
  const expected = {
    can_download: false,
    stream_limits: { max_concurrent_streams: 2, max_total_bandwidth_kbps: 8000 },
    schedules: [{ start_time: '06:00', end_time: '00:00', is_active: true }],
  }
  t.match(JSON.parse((await run('user:list', '--json')).stdout), { users: [expected] })
  t.match(JSON.parse((await run('user:show', 'kim', '--json')).stdout), { user: expected })
  t.match(await run('user:update', 'kim', '--schedule', 'daily 06:00-24:00'), {
    stdout: /^kim sees already: everything, at most/,
  })
  const fewer = await run(
    'user:update',
    'kim',
    '--schedule',
    'sat 06:00-12:00',
    '--schedule',
    'sun 06:00-12:00',
    '--json',
  )
  t.match(JSON.parse(fewer.stdout), {
    changed: true,
    schedules: [{ days_of_week: ['sat'] }, { days_of_week: ['sun'] }],
  })
  t.match(await run('user:update', 'kim', '--no-max-streams', '--no-max-bandwidth', '--no-schedules', '--download'), {
    code: 0,
    stdout: 'kim sees now: everything.\n',
  })
  t.match(await run('user:update', 'kim', '--max-streams', '101'), {
    code: 2,
    stderr: /from 1 to 100 .*--max-streams 2/s,
  })
})

void t.test('an account with a wrong limit is not made', async (t) => {
  const { environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  const create = ['user:create', 'kim', '--email', 'kim@example.org']
  t.equal((await run(...create, '--schedule', 'evenings')).code, 2)
  t.equal((await run(...create, ...Array.from({ length: 21 }, () => ['--schedule', '07:00-20:00']).flat())).code, 1)
  t.match(await run('user:list', '--plain'), { stdout: /^\n?$/ })
})
