import t from 'tap'
import { registerAdmin, startDaemon, stopDaemon } from '../../support/daemon.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { dial } from '../../support/sockets.ts'

/** A command in another process is noticed by the periodic check of connections. */
void t.test('a user that a command disables during the session loses the connection by itself (WS-08)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const { environment } = await testDatabase(t)
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  const api = await registerAdmin(daemon)
  const run = (words: string[], input = '') => runPhlix([...words, '--data-dir', data], { environment, input })
  const password = 'correct horse'
  await run(['user:create', 'bob', '--email', 'bob@example.test', '--password-stdin'], password)
  const { access_token: token } = await api('POST', '/auth/login', { username: 'bob', password })
  const client = await dial(`${daemon.address.replace('http', 'ws')}/api/v1/syncplay/page?token=${String(token)}`)
  await client.next('connected')
  const { code, stderr } = await run(['user:disable', 'bob'])
  t.equal(code, 0, stderr)
  t.match(await client.closed, { code: 4001, reason: 'the session has ended' })
})
