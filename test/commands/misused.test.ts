import t from 'tap'
import { TESTED_ELSEWHERE, WITHOUT_DATABASE, withDatabase } from '../support/every-command.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const COMMANDS = [...WITHOUT_DATABASE, ...withDatabase('films')]

for (const words of [...COMMANDS.map((command) => command.words), ...TESTED_ELSEWHERE]) {
  const id = words[0] ?? ''
  void t.test(`${id} with a bad flag exits 2 as one document`, async (t) => {
    const { code, stdout, stderr } = await runPhlix([...words, '--bad-flag', '--json', '--data-dir', data])
    t.equal(code, 2)
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), { error: { code: 'usage', exit: 2, message: 'Unknown flag --bad-flag', details: {} } })
  })

  void t.test(`${id} with a word too many exits 2`, async (t) => {
    t.equal((await runPhlix([...words, 'one', 'two', '--data-dir', data])).code, 2)
  })
}
