import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { startFakeNotifiers } from '../../support/fake-notifiers.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const fake = await startFakeNotifiers(t)
const run = (words: string[], input = '') => runPhlix([...words, '--data-dir', data], { environment, input })

void t.test('a channel is added, tested, listed without its secrets, and removed', async (t) => {
  const url = `${fake.url}/discord/api/webhooks/1/hush`
  const words = ['notify:create', 'Ops', '--service', 'discord', '--event', 'library.updated']
  const added = await run([...words, '--settings-file', '-'], `\n url = ${url} \n`)
  t.match(added, { code: 0, stdout: 'Created Ops.\n', stderr: '' })
  t.match(await run(['notify:test', 'ops']), { code: 0, stdout: 'Delivered to Ops.\n' })
  t.equal(fake.taken.length, 1)
  fake.behaviour = 'gone'
  t.match(await run(['notify:test', 'ops']), {
    code: 3,
    stdout: 'Not delivered to Ops: Discord answered with status 404: Unknown Webhook\n',
  })
  const list = await run(['notify:list', '--json'])
  t.match(JSON.parse(list.stdout), {
    channels: [
      { name: 'Ops', service: 'discord', events: ['library.updated'], settings: { url: '***' }, failure_count: 1 },
    ],
  })
  const shown = await run(['notify:list'])
  t.match(shown.stdout, /^NAME +SERVICE +FAILED +DROPPED +LAST +EVENTS +SETTINGS\nOps +discord .* url=\*\*\*\n$/)
  t.match(await run([...words, '--set', `url=${url}`]), { code: 1, stderr: /channel_exists/ })
  const bad = await run(['notify:create', 'Bad', '--service', 'ntfy', '--set', 'topic=a', '--set', 'token=s e c r e t'])
  t.match(bad, { code: 2, stderr: /token must be printable characters without spaces/ })
  const odd = await run(['notify:create', 'Odd', '--service', 'ntfy', '--set', 'hush-without-a-name'])
  t.equal(odd.code, 2)
  t.notMatch([list.stdout, shown.stdout, bad.stderr, odd.stderr].join(''), /hush|s e c r e t/)
  t.match(await run(['notify:delete', 'OPS']), { code: 0, stdout: 'Deleted Ops.\n' })
  t.equal((await run(['notify:test', 'ops'])).code, 66)
})
