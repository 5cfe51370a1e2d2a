import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { TESTED_ELSEWHERE, WITHOUT_DATABASE, withDatabase } from '../support/every-command.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const COMMANDS = [...WITHOUT_DATABASE, ...withDatabase('films')]

/** `doctor` reports it as a finding; the others do not read it. */
const WITHOUT_CONFIGURATION = new Set([
  'version',
  'exit-codes',
  'schema',
  'systemd:print',
  'config:import',
  'doctor',
  'plugin:new',
])

void t.test('a bad configuration exits 78 and names the key, before anything is opened', async (t) => {
  const file = join(data, 'bad.toml')
  await writeFile(file, '[server]\nprot = 1\n[database]\npool_size = "many"\n')
  for (const words of [...COMMANDS.map((command) => command.words), ...TESTED_ELSEWHERE]) {
    if (WITHOUT_CONFIGURATION.has(words[0] ?? '')) continue
    const { code, stdout, stderr } = await runPhlix([...words, '--config', file, '--json', '--data-dir', data])
    t.equal(code, 78, words.join(' '))
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), {
      error: {
        code: 'invalid_config',
        exit: 78,
        message: /server\.prot is not an option \(did you mean server\.port\?\).*database\.pool_size must be/,
      },
    })
  }
})

/** They read the folder of the backups, which must work when the database is lost. */
const FOLDER_ONLY = new Set(['backup:list', 'backup:prune'])

void t.test('a database that is not there exits 69', async (t) => {
  const environment = { DB_HOST: '127.0.0.1', DB_PORT: '1', DB_PASSWORD: 'S3CRET-canary' }
  for (const { words } of withDatabase('films')) {
    if (FOLDER_ONLY.has(words[0] ?? '')) continue
    const { code, stdout, stderr } = await runPhlix([...words, '--json', '--data-dir', data], { environment })
    t.equal(code, 69, words.join(' '))
    t.match(JSON.parse(stdout), { error: { code: 'database_unavailable', exit: 69 } })
    t.notMatch(stdout + stderr, 'S3CRET-canary')
  }
})
