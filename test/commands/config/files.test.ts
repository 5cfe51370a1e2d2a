import { existsSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const KEY = '0123456789abcdef0123456789abcdef'

void t.test('config:validate reports every problem at once', async (t) => {
  const data = await temporaryDataDirectory(t)
  const run = () => runPhlix(['config:validate', '--json', '--data-dir', data])
  t.match(JSON.parse((await run()).stdout), { valid: true, data_directory: data, sources: [] })
  await writeFile(join(data, 'config.toml'), '[server]\nport = 99999\nprot = 1\n')
  const { code, stdout } = await run()
  t.equal(code, 78)
  t.match(JSON.parse(stdout), {
    error: { code: 'invalid_config', details: { problems: [/server\.port/, /server\.prot/] } },
  })
})

void t.test('config:validate refuses what a server would refuse at its start', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = { PHLIX_OIDC_ISSUER: 'https://auth.example.org' }
  t.match(await runPhlix(['config:validate', '--data-dir', data], { environment }), {
    code: 78,
    stderr: /auth\.oidc\.issuer needs auth\.oidc\.client_id.*needs server\.public_url/s,
  })
  t.match(await runPhlix(['config:validate', '--data-dir', data], { environment: { PHLIX_LOCAL_SIGN_IN: 'off' } }), {
    code: 78,
    stderr: /accounts\.local_sign_in can only be off with/,
  })
})

void t.test('an exported configuration can be imported elsewhere', async (t) => {
  const [from, to] = [await temporaryDataDirectory(t), await temporaryDataDirectory(t)]
  await writeFile(join(from, 'config.toml'), '[server]\nport = 1234\n[server.rate_limit.jwks]\nmax = 7\n', {
    mode: 0o600,
  })
  const environment = { TMDB_API_KEY: KEY, PHLIX_LOUDNESS: 'on' }
  const plain = await runPhlix(['config:export', '--data-dir', from], { environment })
  t.equal(plain.code, 0)
  t.notMatch(plain.stdout, KEY)
  t.match(plain.stderr, 'left out: metadata.tmdb.api_key')
  const whole = await runPhlix(['config:export', '--with-secrets', '--data-dir', from], { environment })
  const file = join(from, 'exported.toml')
  await writeFile(file, whole.stdout)
  const imported = await runPhlix(['config:import', file, '--json', '--data-dir', to])
  t.match(JSON.parse(imported.stdout), {
    path: join(to, 'config.toml'),
    options: ['server.port', 'server.rate_limit.jwks.max', 'metadata.tmdb.api_key', 'hls.loudness'],
    previous: null,
  })
  t.equal(statSync(join(to, 'config.toml')).mode & 0o777, 0o600)
  const again = await runPhlix(['config:export', '--with-secrets', '--data-dir', to])
  t.equal(again.stdout, whole.stdout)
})

void t.test(
  'a file with a problem changes nothing; an existing one is replaced only with --force and kept',
  async (t) => {
    const data = await temporaryDataDirectory(t)
    const file = join(data, 'new.toml')
    const current = join(data, 'config.toml')
    const run = (...words: string[]) => runPhlix(['config:import', file, ...words, '--data-dir', data])
    await writeFile(current, '[server]\nport = 1\n')
    await writeFile(file, '[server]\nprot = 2\n')
    t.match(await run('--force'), { code: 78, stderr: /server\.prot is not an option/ })
    await writeFile(file, '[server]\nport = 2\n')
    t.match(await run(), { code: 1, stderr: /config_exists/ })
    t.match(await run('--force', '--dry-run'), { code: 0, stdout: /would be written with 1 option/ })
    t.equal(readFileSync(current, 'utf8'), '[server]\nport = 1\n')
    t.equal((await run('--force')).code, 0)
    t.equal(readFileSync(current, 'utf8'), '[server]\nport = 2')
    t.equal(readFileSync(`${current}.old`, 'utf8'), '[server]\nport = 1\n')
    t.equal((await runPhlix(['config:import', join(data, 'gone.toml'), '--data-dir', data])).code, 2)
    t.notOk(existsSync(join(data, 'postgres')))
  },
)
