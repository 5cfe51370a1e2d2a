import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandsPage, completions } from '../../scripts/write-command-docs.ts'
import { EXIT_CODES } from '../../src/commands/_support/exit-codes.ts'
import { DEVICE_PROFILE_NAMES as COMMAND_PROFILES } from '../../src/commands/_support/arguments/device-profiles.ts'
import { LIBRARY_TYPES } from '../../src/commands/_support/arguments/library-types.ts'
import { LIBRARY_TYPES as CORE_LIBRARY_TYPES } from '../../src/core/libraries/index.ts'
import { DEVICE_PROFILE_NAMES } from '../../src/core/streaming/index.ts'
import { runPhlix } from '../support/phlix.ts'

const root = join(import.meta.dirname, '..', '..')

void t.test('docs/commands.md equals the descriptions of the commands', async (t) => {
  const committed = readFileSync(join(root, 'docs', 'commands.md'), 'utf8')
  t.equal(committed, await commandsPage(), 'else: node scripts/write-command-docs.ts')
})

void t.test('contrib/completions contains every command and flag', async (t) => {
  const text = readFileSync(join(root, 'contrib', 'completions', 'phlix.fish'), 'utf8')
  for (const [name, expected] of await completions())
    t.equal(readFileSync(join(root, 'contrib', 'completions', name), 'utf8'), expected, `${name}; else: npm run docs`)
  t.match(text, "complete -c phlix -n '__fish_use_subcommand' -f -a 'library:scan' -d 'Scan a library")
  t.match(text, /-n '__fish_seen_subcommand_from library:create' -l type -x -a 'movie series music /)
  // Between single quotes a quote is written \\'; every line ends outside of quotes.
  for (const line of text.split('\n').filter((one) => one.startsWith('complete'))) {
    t.equal(line.replaceAll(/\\\\[\\\\']/g, '').split("'").length % 2, 1, line)
  }
})

void t.test('the choices of --type are the core’s library types', (t) => {
  t.strictSame([...LIBRARY_TYPES], [...CORE_LIBRARY_TYPES])
  t.end()
})

void t.test('the choices of --profile are the core’s device profiles', (t) => {
  t.strictSame([...COMMAND_PROFILES], [...DEVICE_PROFILE_NAMES])
  t.end()
})

void t.test('`exit-codes` prints the table that the pages print', async (t) => {
  const { stdout } = await runPhlix(['exit-codes', '--json'])
  t.strictSame((JSON.parse(stdout) as { exit_codes: unknown }).exit_codes, EXIT_CODES)
})

/** Names of exit codes in unit files (systemd.exec(5), "Process Exit Codes"). */
const SYSTEMD_NAMES: Readonly<Record<string, number>> = { CONFIG: 78, TEMPFAIL: 75 }

void t.test('the systemd units start commands that exist and name exit codes that exist', async (t) => {
  for (const [unit, words] of [
    ['phlix.service', ['serve']],
    ['phlix-scan@.service', ['library:scan', '%i', '--quiet']],
  ] as const) {
    const text = readFileSync(join(root, 'contrib', 'systemd', unit), 'utf8')
    t.strictSame(/^ExecStart=phlix (.*)$/m.exec(text)?.[1]?.split(' '), words)
    // Known flags and a valid number of arguments: the invalid configuration file is detected later.
    t.equal((await runPhlix([...words, '-c', '/no/such/file'])).code, 78, unit)
    const statuses = [...text.matchAll(/^(?:SuccessExitStatus|RestartPreventExitStatus)=(.*)$/gm)]
    t.equal(statuses.length, 1)
    for (const word of statuses.flatMap(([, list]) => (list ?? '').split(' '))) {
      const code = SYSTEMD_NAMES[word] ?? Number(word)
      t.ok(
        EXIT_CODES.some((row) => row.code === code),
        `${unit}: ${word}`,
      )
    }
  }
})
