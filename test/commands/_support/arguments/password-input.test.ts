import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { describeGenerated, readPassword } from '../../../../src/commands/_support/arguments/password-input.ts'
import { PHLIX_WORDS, runPhlix, runShell } from '../../../support/phlix.ts'

const mute = { mayAsk: false }
const folder = await mkdtemp(join(tmpdir(), 'phlix-password-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

async function fileOf(text: string): Promise<string> {
  const path = join(folder, `password-${Math.random()}`)
  await writeFile(path, text)
  return path
}

void t.test('a password file loses one trailing newline and nothing else', async (t) => {
  const cases: [text: string, password: string][] = [
    ['secret word\n', 'secret word'],
    ['secret word\r\n', 'secret word'],
    ['secret word', 'secret word'],
    [' secret word \n\n', ' secret word \n'],
    ['pässwörd\n', 'pässwörd'],
  ]
  for (const [text, password] of cases) {
    const read = await readPassword({ 'password-stdin': false, 'password-file': await fileOf(text) }, mute)
    t.equal(read, password)
  }
})

void t.test('without a password flag there is no password', async (t) => {
  t.equal(await readPassword({ 'password-stdin': false }, mute), undefined)
})

void t.test('an empty password and a file that is not there are wrong usage', async (t) => {
  const empty = { 'password-stdin': false, 'password-file': await fileOf('\n') }
  await t.rejects(readPassword(empty, mute), { code: 'usage', message: 'The password is empty' })
  const absent = { 'password-stdin': false, 'password-file': join(folder, 'absent') }
  await t.rejects(readPassword(absent, mute), { code: 'usage', message: /cannot be read: .*ENOENT/ })
  const directory = { 'password-stdin': false, 'password-file': folder }
  await t.rejects(readPassword(directory, mute), { code: 'usage', message: /EISDIR/ })
})

// The password is read first; the missing configuration file then ends the command, so that no database is needed.
const afterwards = ['-c', join(folder, 'no-such.toml'), '--json']

void t.test('standard input can hold the password, also as the file `-`', async (t) => {
  for (const way of [['--password-stdin'], ['--password-file', '-']]) {
    const line = ['user:reset-password', 'bob', ...way, ...afterwards]
    const given = await runPhlix(line, { input: 'secret word\n' })
    t.match(JSON.parse(given.stdout), { error: { code: 'invalid_config', exit: 78 } }, 'it was read')
    const empty = await runPhlix(line, { input: '\n' })
    t.match(JSON.parse(empty.stdout), { error: { code: 'usage', exit: 2, message: 'The password is empty' } })
  }
  const long = await runPhlix(['user:reset-password', 'bob', '--password-stdin', ...afterwards], {
    input: 'x'.repeat(100_000),
  })
  t.match(JSON.parse(long.stdout), { error: { code: 'usage', message: /too long/ } })
})

void t.test('a terminal is asked on stderr without showing what is typed', async (t) => {
  const words = `user:reset-password bob --password-stdin -c ${folder}/no-such.toml`
  const { stdout } = await runShell(
    `{ sleep 1; echo hunter22; } | script -qec '${PHLIX_WORDS} ${words} >/dev/null' /dev/null`,
  )
  t.match(stdout, /Password: /)
  t.notMatch(stdout.slice(stdout.indexOf('Password: ')), /hunter22/)
  t.match(stdout, /invalid_config/, 'the password was taken')
})

void t.test('a terminal is not asked with --no-input or CI', async (t) => {
  for (const [extra, environment] of [
    ['--no-input', {}],
    ['', { CI: 'true' }],
  ] as const) {
    const words = `user:reset-password bob --password-stdin ${extra} --json`
    const { stdout } = await runShell(`script -qec '${PHLIX_WORDS} ${words}' /dev/null`, environment)
    t.match(JSON.parse(stdout), { error: { code: 'usage', message: /forbids asking/ } })
  }
})

void t.test('with --quiet stdout contains only the generated password', (t) => {
  t.equal(describeGenerated('Done.', 'abc', { quiet: true }), 'abc')
  t.equal(describeGenerated('Done.', 'abc', { quiet: false }), 'Done.\nPassword, shown only now: abc')
  t.end()
})
