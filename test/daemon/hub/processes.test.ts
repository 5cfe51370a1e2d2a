import { sql } from 'slonik'
import t from 'tap'
import { disableHubServer, endShare, type DirectoryEvent } from '../../../src/core/hub/index.ts'
import { pick } from '../../support/app.ts'
import { emptyDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { pairHome, sendHeartbeat } from '../../support/home-server.ts'
import { startTestHub } from '../../support/hub.ts'
import { waitUntil } from '../../support/wait-until.ts'

const shared = { database: await emptyDatabase(t), dataDirectory: reachableDirectory(t) }
const [one, two] = await Promise.all([startTestHub(t, shared), startTestHub(t, shared)])
const ada = await one.addUser('ada')

/** What a process hears. */
const heard: DirectoryEvent[] = []
two.services.directory.onEvent((event) => heard.push(event))

void t.test('processes that start together agree on one signing key', async (t) => {
  const [keys, others] = await Promise.all([one, two].map(({ services }) => services.signingKeys.publicKeys()))
  t.equal(keys?.length, 1)
  t.strictSame(keys, others)
})

void t.test('users, servers and tokens of one process are those of the other', async (t) => {
  t.match(await two.ask('GET', '/api/v1/auth/me', { token: ada.token }), { status: 200, json: { username: 'ada' } })
  const paired = await pairHome(one, ada)
  t.equal((await sendHeartbeat(two, paired)).status, 200)
  await one.services.signingKeys.rotate()
  const again = await pairHome(one, ada)
  t.equal((await sendHeartbeat(two, again)).status, 200, 'a key that the other process has not read yet')
})

void t.test('a process hears of a server that another one disables', async (t) => {
  const { serverId } = await pairHome(one, ada)
  await disableHubServer(one.services, { id: serverId, isDisabled: true, actor: 'test' })
  await waitUntil('it hears', async () =>
    heard.some((event) => event.kind === 'server_revoked' && event.serverId === serverId),
  )
  t.pass()
})

void t.test('a process that lost its connection for events says so, and hears again', async (t) => {
  await one.services.db.query(sql.unsafe`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'phlix listen%'`)
  await waitUntil('the loss is reported', async () => heard.some(({ kind }) => kind === 'events_missed'))
  const bob = await two.addUser('bob')
  const paired = await pairHome(one, ada)
  const invite = await one.ask('POST', '/api/v1/me/invite-links', {
    token: ada.token,
    body: { server_id: paired.serverId },
  })
  await two.ask('POST', '/api/v1/me/invite-links/accept', {
    token: bob.token,
    body: { code: pick(invite.json, 'code') },
  })
  const { json } = await two.ask('GET', '/api/v1/me/shares', { token: bob.token })
  await endShare(one.services, { id: String(pick(json, 'shares', 0, 'id')), user: ada })
  await waitUntil('it hears', async () =>
    heard.some((event) => event.kind === 'access_revoked' && event.userId === bob.id),
  )
  t.equal((await two.ask('POST', `/api/v1/me/servers/${paired.serverId}/token`, { token: bob.token })).status, 403)
})

void t.test('a process with another secret replaces the key that it cannot read', async (t) => {
  const before = await one.services.signingKeys.publicKeys()
  const other = await startTestHub(t, {
    database: shared.database,
    environment: { JWT_SECRET: 'another secret of at least 32 bytes, for this test' },
  })
  const keys = await other.services.signingKeys.publicKeys()
  t.equal(keys.length, before.length + 1)
  t.ok(
    before.every(({ kid }) => keys.some((key) => key.kid === kid)),
    'tokens of the old key stay valid',
  )
})
