import t from 'tap'
import { reachableDirectory } from '../../support/directories.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const run = (words: readonly string[], input = '') =>
  runPhlix(['user:create', ...words, '--data-dir', data], { environment, input })

type Document = { user: Record<string, unknown>; generated?: string }

void t.test('an account is an administrator only when asked for, also the first one', async (t) => {
  const first = JSON.parse((await run(['plain', '--email', 'plain@example.org', '--json'])).stdout) as Document
  t.match(first.user, { username: 'plain', email: 'plain@example.org', is_admin: false, status: 'active' })
  const admin = JSON.parse((await run(['boss', '--email', 'boss@example.org', '--admin', '--json'])).stdout) as Document
  t.equal(admin.user['is_admin'], true)
})

void t.test('without a password a long one is made up and printed once, on stdout only', async (t) => {
  const { code, stdout, stderr } = await run(['made-up', '--email', 'made-up@example.org'])
  t.equal(code, 0)
  t.equal(stderr, '')
  t.match(stdout, /^Created made-up\. Sign in at http:\/\/\S+:8096\nPassword, shown only now: \S{20,}\n$/)
  const quiet = await run(['quiet', '--email', 'quiet@example.org', '--quiet'])
  t.match(quiet.stdout, /^\S{20,}\n$/, '--quiet prints it alone, for scripts')
})

void t.test('a given password is printed nowhere', async (t) => {
  const { code, stdout, stderr } = await run(
    ['given', '--email', 'given@example.org', '--password-stdin', '--json'],
    'S3CRET-canary\n',
  )
  t.equal(code, 0)
  t.notMatch(stdout + stderr, 'S3CRET-canary')
  t.notOk('generated' in (JSON.parse(stdout) as Document))
})

void t.test('a taken name and broken rules exit 2 and name the field', async (t) => {
  const taken = await run(['PLAIN', '--email', 'other@example.org', '--json'])
  t.equal(taken.code, 2)
  t.match(JSON.parse(taken.stdout), {
    error: { code: 'validation_failed', details: { fields: { username: 'is already in use' } } },
  })
  const short = await run(['ab', '--email', 'nothing', '--password=S3CRET!', '--json'])
  t.equal(short.code, 2)
  t.match(Object.keys((JSON.parse(short.stdout) as { error: { details: { fields: object } } }).error.details.fields), [
    'username',
    'email',
    'password',
  ])
  t.notMatch(short.stdout + short.stderr, 'S3CRET!')
})

void t.test('libraries are named by id or name, as in all commands', async (t) => {
  const folder = reachableDirectory(t)
  const made = await runPhlix(
    ['library:create', 'Cartoons', '--type', 'movie', '--path', folder, '--no-scan', '--json', '--data-dir', data],
    { environment },
  )
  t.equal(made.code, 0, made.stdout + made.stderr)
  const { library } = JSON.parse(made.stdout) as { library: { id: string } }
  const byName = await run(['kim', '--email', 'kim@example.org', '--library', 'Cartoons', '--max-rating', '12'])
  t.equal(byName.code, 0, byName.stderr)
  const phlix = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  const accessOf = async (...words: string[]) =>
    (JSON.parse((await phlix('user:update', 'kim', ...words, '--json')).stdout) as { access: object }).access
  t.match(await accessOf('--allow-unrated'), { library_ids: [library.id], max_age: 12, allow_unrated: true })
  t.match(
    await accessOf('--library', library.id),
    { library_ids: [library.id], allow_unrated: true },
    'the others stay',
  )
  t.match(await accessOf('--no-allow-unrated'), { allow_unrated: false })
  t.match(await run(['bo', '--email', 'bo@example.org', '--library', 'Films']), {
    code: 66,
    stderr: /No library has the id or name "Films".*the libraries are "Cartoons"; phlix library:list/s,
  })
  t.match(await accessOf('--library', 'CARTOONS'), { library_ids: [library.id] }, 'the case does not matter')
  t.match(await phlix('user:update', 'kim'), { code: 2, stderr: /Nothing to change: give at least one of --library, / })
})
