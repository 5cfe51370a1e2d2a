import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

async function setUp(t: Test) {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  await createAccount(services, input)
  const run = (words: string[], stdin?: string) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], {
      environment: database.environment,
      ...(stdin !== undefined && { input: stdin }),
    })
  return { run, db: services.db }
}

void t.test(
  'a profile is made with every limit, which the list shows in both forms, and loses each of them',
  async (t) => {
    const { run } = await setUp(t)
    const made = await run([
      'profile:create',
      'ann',
      'Kim',
      '--kids',
      '--max-streams',
      '1',
      '--max-bandwidth',
      '8000',
      '--schedule',
      'mon-fri 07:00-20:00',
      '--schedule',
      'sat,sun 08:00-21:30 Europe/Berlin',
      '--block-tag',
      'gore',
      '--allow-tag',
      'kids',
      '--json',
    ])
    t.equal(made.code, 0, made.stdout)
    const limits =
      'up to 7, unrated hidden, without gore, only kids, at most 1 stream and 8000 kbit/s, plays only mon-fri 07:00-20:00 and sat,sun 08:00-21:30 Europe/Berlin, no downloads'
    t.ok((await run(['profile:list', 'ann', '--plain'])).stdout.includes(`\tKim\tkids\t\t${limits}\n`))
    const { profiles } = JSON.parse((await run(['profile:list', 'ann', '--json'])).stdout) as { profiles: object[] }
    t.match(profiles[1], {
      name: 'Kim',
      can_download: false,
      blocked_tags: ['gore'],
      allowed_tags: ['kids'],
      stream_limits: { max_concurrent_streams: 1, max_total_bandwidth_kbps: 8000 },
      schedules: [
        { start_time: '07:00', end_time: '20:00', time_zone: null, is_active: true },
        { days_of_week: ['sat', 'sun'], end_time: '21:30', time_zone: 'Europe/Berlin' },
      ],
    })
    t.match((await run(['user:show', 'ann'])).stdout, `\n  Kim (kids): ${limits}\n`)
    t.match(JSON.parse((await run(['user:show', 'ann', '--json'])).stdout), { profiles: [{}, profiles[1]] })
    const fewer = await run(['profile:update', 'ann', 'Kim', '--schedule', '07:00-19:00', '--no-max-streams'])
    t.match(
      fewer.stdout,
      /at most 8000 kbit\/s, plays only daily 07:00-19:00, no downloads\.\n$/,
      'schedules are replaced',
    )
    const free = await run([
      'profile:update',
      'ann',
      'Kim',
      '--no-kids',
      '--no-max-rating',
      '--no-block-tags',
      '--no-allow-tags',
      '--no-max-bandwidth',
      '--no-schedules',
      '--download',
    ])
    t.match(free, { code: 0, stdout: 'Kim sees: everything of the account.\n' })
  },
)

void t.test('wrong values are refused with an example, and nothing is made', async (t) => {
  const { run } = await setUp(t)
  for (const [flags, message, hint] of [
    [['--max-streams', '0'], '--max-streams must be a whole number from 1 to 100', 'for example --max-streams 2'],
    [['--max-streams', 'two'], '--max-streams must be a whole number from 1 to 100', 'for example --max-streams 2'],
    [
      ['--max-bandwidth', '8 Mbit'],
      '--max-bandwidth must be a whole number from 100 to 1000000',
      'for example --max-bandwidth 8000',
    ],
    [['--schedule', 'mon-fri 7-20'], /"7" is no time such as 17:30/, /mon-fri 07:00-20:00/],
    [['--schedule', 'evenings'], /"evenings" is no schedule/, /mon-fri 07:00-20:00/],
  ] as const) {
    const { code, stdout } = await run(['profile:create', 'ann', 'Kim', ...flags, '--json'])
    t.equal(code, 2, flags.join(' '))
    t.match(JSON.parse(stdout), { error: { exit: 2, message, hint } })
  }
  const both = await run(['profile:update', 'ann', 'ann', '--no-schedules', '--schedule', '07:00-20:00'])
  t.match(both, { code: 2, stderr: /only one of --no-schedules and --schedule/ })
  t.equal(
    (JSON.parse((await run(['profile:list', 'ann', '--json'])).stdout) as { profiles: object[] }).profiles.length,
    1,
  )
})

void t.test('a profile that can be left without a PIN is told, and what to do', async (t) => {
  const { run } = await setUp(t)
  const child = await run(['profile:create', 'ann', 'Kim', '--kids'])
  t.equal(child.stderr, '', 'a child is asked for the password')
  t.match(
    child.stdout,
    /The main profile has no PIN yet: phlix profile:pin ann ann\n.*--schedule 'daily 07:00-19:30'\n$/s,
  )
  const warned = /Anybody can switch from Teens to ann without a PIN, .*: phlix profile:pin ann ann/
  t.match(await run(['profile:create', 'ann', 'Teens', '--max-rating', '12']), { code: 0, stderr: warned })
  t.match(await run(['profile:update', 'ann', 'Teens', '--max-streams', '1']), { code: 0, stderr: warned })
  t.match(await run(['profile:pin', 'ann', 'ann'], '2580'), { code: 0, stderr: '' })
  t.match(await run(['profile:update', 'ann', 'Teens', '--max-streams', '2']), { code: 0, stderr: '' })
  t.match(await run(['profile:pin', 'ann', 'ann', '--remove']), { code: 0, stderr: warned })
  await run(['profile:pin', 'ann', 'ann'], '2580')
  const { warnings } = JSON.parse((await run(['profile:create', 'ann', 'Big Al', '--json'])).stdout) as {
    warnings: string[]
  }
  t.match(warnings, [/from Teens to Big Al without a PIN, .*: phlix profile:pin ann 'Big Al'/])
  t.match(await run(['profile:create', 'ann', 'Kit', '--kids']), { code: 0, stderr: '' }, 'others are not repeated')
  const { stderr } = await run(['profile:create', 'ann', 'Tweens', '--max-rating', '6'])
  t.match(stderr, /from Tweens to Big Al without a PIN/)
  t.notMatch(stderr, 'Teens,')
})

void t.test(
  'an unknown profile is told with those that exist, and the limits of the account are below the list',
  async (t) => {
    const { run } = await setUp(t)
    await run(['user:update', 'ann', '--max-rating', '16', '--schedule', 'daily 06:00-23:00'])
    t.match(
      (await run(['profile:list', 'ann'])).stdout,
      /\nThe account, with all its profiles, sees: up to 16, .* 06:00-23:00\.\n$/,
    )
    t.equal((await run(['profile:list', 'ann', '--plain'])).stdout.trim().split('\n').length, 1)
    t.match(await run(['profile:pin', 'ann', 'Bob', '--remove']), {
      code: 66,
      stderr: /ann has no profile "Bob".*the profiles are "ann"; phlix profile:list ann/s,
    })
  },
)

void t.test('the main profile is limited with its account, which the error says', async (t) => {
  const { run } = await setUp(t)
  for (const flags of [
    ['--max-rating', '12'],
    ['--schedule', 'daily 07:00-20:00'],
    ['--max-streams', '1'],
    ['--max-bandwidth', '8000'],
    ['--no-schedules'],
  ]) {
    t.match(
      await run(['profile:update', 'ann', 'ann', ...flags]),
      { code: 1, stderr: /profile\.main_profile.*phlix user:update ann/s },
      flags.join(' '),
    )
  }
  t.match(await run(['profile:update', 'ann', 'ann', '--name', 'Parents']), {
    code: 0,
    stdout: 'Parents sees: everything of the account.\n',
  })
})

void t.test('a profile and its hours are stored together or not at all', async (t) => {
  const { run, db } = await setUp(t)
  await run(['profile:create', 'ann', 'Kim', '--kids', '--max-streams', '2'])
  await db.query(sql.unsafe`alter table profile_schedules add constraint lost check (start_minute < 0) not valid`)
  const hours = ['--max-streams', '1', '--schedule', 'daily 07:00-19:30']
  t.not((await run(['profile:create', 'ann', 'Tom', '--kids', ...hours])).code, 0)
  t.not((await run(['profile:update', 'ann', 'Kim', '--name', 'Kimberly', '--no-kids', ...hours])).code, 0)
  const { stdout } = await run(['profile:list', 'ann', '--json'])
  t.match(JSON.parse(stdout), {
    profiles: [{ name: 'ann' }, { name: 'Kim', stream_limits: { max_concurrent_streams: 2 } }],
  })
  t.notMatch(stdout, /Tom/)
})
