import t from 'tap'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createPlayers } from '../../../src/core/remote-control/index.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'

const { pool: db, connectionUri, environment } = await testDatabase(t)
const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })

void t.test('questions about players share one connection to the database', async (t) => {
  let connections = 0
  const server = createServer((near) => {
    connections += 1
    const far = connect(join(environment['DB_HOST'] ?? '', '.s.PGSQL.5432'))
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  const directory = reachableDirectory(t)
  await new Promise<void>((resolve) => server.listen(join(directory, '.s.PGSQL.5432'), resolve))
  t.teardown(() => server.close())
  const host = encodeURIComponent(environment['DB_HOST'] ?? '')
  t.ok(connectionUri.includes(host))
  const players = createPlayers({ db, connectionUri: connectionUri.replace(host, encodeURIComponent(directory)), log })
  const lists = await Promise.all(Array.from({ length: 20 }, async () => players.list(null)))
  t.strictSame(lists.flat(), [])
  await t.rejects(players.command('none', null, { action: 'stop' }), { code: 'player_not_found' })
  t.equal(connections, 1)
  await players.close()
})
