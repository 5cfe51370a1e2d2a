import { writeFile } from 'node:fs/promises'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { restoreResponses, startWebhookReceiver } from '../../support/webhook-receiver.ts'

const SECRET = 'from the file'
const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const receiver = await startWebhookReceiver(t, SECRET)
const run = (words: string[], input = '') =>
  runPhlix([...words, '--data-dir', data], {
    environment: { ...environment, PHLIX_WEBHOOKS_ALLOW_PRIVATE: 'true' },
    input,
  })
const idIn = (stdout: string): string => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0] ?? ''

void t.test('a webhook is created with a secret from a file, from standard input, or a generated one', async (t) => {
  const file = `${data}/secret`
  await writeFile(file, `${SECRET}\n`)
  const created = await run([
    'webhook:create',
    'Home',
    receiver.url,
    '--secret-file',
    file,
    '--event',
    'library.updated',
  ])
  t.match(created, { code: 0, stdout: /^Created Home: [-0-9a-f]{36}\n$/, stderr: '' })
  t.match(await run(['webhook:create', 'Piped', receiver.url, '--secret-file', '-'], SECRET), { code: 0 })
  const quiet = await run(['webhook:create', 'Made up', receiver.url, '--quiet'])
  t.match(quiet, { code: 0, stdout: /^[\w-]{43}\n$/ })
  const { webhooks } = JSON.parse((await run(['webhook:list', '--json'])).stdout)
  t.match(webhooks, [
    { name: 'Home', url: receiver.url, events: ['library.updated'], failure_count: 0 },
    { name: 'Piped', events: ['playback.started', 'playback.ended', 'library.updated'] },
    { name: 'Made up' },
  ])
  t.notMatch(JSON.stringify(webhooks), new RegExp(`${SECRET}|${quiet.stdout.trim()}`))
  t.match((await run(['webhook:list'])).stdout, /^ID +NAME +ACTIVE +FAILED +DROPPED +LAST +EVENTS +URL\n/)
  t.match(await run(['webhook:create', 'Lost', receiver.url, '--secret-file', `${data}/none`]), { code: 2 })
  const far = await run(['webhook:create', 'Far', 'http://169.254.169.254/'])
  t.match(far, { code: 2, stderr: /169\.254\.169\.254/ })
  t.notMatch(far.stderr, 'hint:', 'nothing permits the addresses of cloud metadata')
  t.match(await run(['webhook:test', '0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001']), {
    code: 66,
    stderr: /webhook_not_found.*\nhint: phlix webhook:list/,
  })
})

void t.test(
  'a test, the log and a redelivery report the result: 0 delivered, 3 not delivered, 66 unknown',
  async (t) => {
    const id = idIn((await run(['webhook:list', '--plain'])).stdout)
    t.match(await run(['webhook:test', id]), { code: 0, stdout: 'Delivered to Home.\n' })
    receiver.answer = (_, response) => void response.writeHead(500).end()
    t.match(await run(['webhook:test', id]), {
      code: 3,
      stdout: 'Not delivered to Home: It answered with status 500.\n',
    })
    restoreResponses(receiver)
    const failed = await run(['webhook:deliveries', '--status', 'failed', '--webhook', id, '--plain'])
    t.match(failed.stdout, /\tfailed\t1\tHome\twebhook\.test\tIt answered with status 500\.\n$/)
    const again = await run(['webhook:redeliver', idIn(failed.stdout), '--json'])
    t.match(JSON.parse(again.stdout), { success: true, delivery: { status: 'success', retry_count: 1 } })
    t.equal((await run(['webhook:deliveries', '--webhook', 'x'])).code, 66)
    t.match(await run(['webhook:delete', id]), { code: 0, stdout: 'Deleted.\n' })
    t.equal((await run(['webhook:delete', id])).code, 66)
  },
)
