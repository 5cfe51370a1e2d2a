import t from 'tap'
import { runPhlix, temporaryDataDirectory } from '../../../support/phlix.ts'

void t.test(
  'a command that changes something and is not told what names its flags: 2, without a database',
  async (t) => {
    const data = await temporaryDataDirectory(t)
    for (const [words, flag] of [
      [['profile:update', 'ann', 'Kim'], '--max-streams'],
      [['user:update', 'ann'], '--no-schedules'],
      [['library:update', 'Films'], '--add-path'],
      [['media:edit', '2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11'], '--sort-title'],
      [['plugin:configure', 'phlix-plugin-hello'], '--set-from-file'],
    ] as const) {
      // Flags of all commands change nothing.
      const { code, stdout } = await runPhlix([...words, '--no-color', '--json', '--data-dir', data])
      t.equal(code, 2, words[0])
      t.match(JSON.parse(stdout), { error: { code: 'usage', message: /^Nothing to change: give at least one of --/ } })
      t.ok(stdout.includes(flag), `${words[0]} names ${flag}`)
    }
  },
)
