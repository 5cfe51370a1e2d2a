import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const database = await testDatabase(t)
const environment = { ...database.environment, TVDB_API_KEY: 'of the environment' }
const run = (words: string[], input?: string) =>
  runPhlix([...words, '--data-dir', data], { environment, ...(input === undefined ? {} : { input }) })
const option = async (path: string) => {
  const { stdout } = await run(['config:show', '--json'])
  const { options } = JSON.parse(stdout) as { options: { path: string }[] }
  return options.find((one) => one.path === path)
}

void t.test(
  'config:set writes a setting, config:show shows it and where it came from, config:unset takes it away',
  async (t) => {
    const name = 'metadata.overwrite_existing'
    t.match(await run(['config:set', name, 'off']), { code: 0, stdout: `${name} is set, heeded from now on.\n` })
    t.match(await option(name), { value: false, origin: 'database' })
    t.match((await run(['config:show', '--origin', '--plain'])).stdout, `${name}\tfalse\tdatabase\n`)
    const { code, stdout } = await run(['config:unset', name, '--json'])
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { setting: { path: name, value: true, origin: 'default', stored: false } })
    t.match(await option(name), { value: true, origin: 'default' })
  },
)

void t.test('a secret is read from standard input, and shown nowhere', async (t) => {
  const { code, stdout } = await run(['config:set', 'metadata.tmdb.api_key', '-', '--json'], 'hush-hush\n')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { setting: { value: '***', origin: 'database', restart_required: true } })
  const shown = await run(['config:show', '--json'])
  t.notMatch(stdout + shown.stdout + shown.stderr, /hush-hush/)
})

void t.test('what is no setting, or no value for it, is refused and says why; what is set elsewhere too', async (t) => {
  for (const [words, exit, code, message] of [
    [['metadata.overwrite_existin', 'off'], 2, 'setting_unknown', /did you mean metadata\.overwrite_existing/],
    [['database.host', 'x'], 2, 'setting_unknown', /file, environment or flag/],
    [['metadata.country', 'usa'], 2, 'setting_invalid', /must be a country/],
    [['metadata.tvdb.api_key', 'x'], 1, 'setting_locked', /set by environment TVDB_API_KEY/],
  ] as const) {
    const answer = await run(['config:set', ...words, '--json'])
    t.equal(answer.code, exit, words[0])
    t.match(JSON.parse(answer.stdout), { error: { code, message } })
  }
})

void t.test('without a database that answers config:show shows the rest, and warns', async (t) => {
  const away = { DB_HOST: '127.0.0.1', DB_PORT: '1' }
  const { code, stdout, stderr } = await runPhlix(['config:show', '--plain', '--data-dir', data], { environment: away })
  t.equal(code, 0)
  t.match(stdout, 'metadata.overwrite_existing\ttrue\n')
  t.match(stderr, /warning: the settings in the database cannot be read/)
})
