import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { systemClock, type Clock } from '../../../src/core/platform/time/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import {
  clientPasswordHash,
  createWatchGroups,
  positionAt,
  type JoiningClient,
} from '../../../src/core/watch-together/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { waitUntil } from '../../support/wait-until.ts'

const { pool: db, connectionUri } = await testDatabase(t)
const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const accountId = await makeUser(db, 'member')

/** The groups of one of several processes. */
function startProcess(t: Test, clock: Clock = systemClock) {
  const groups = createWatchGroups({ db, clock, log, connectionUri })
  t.teardown(() => groups.close())
  return groups
}

function joiner(fields: Partial<JoiningClient> = {}): JoiningClient {
  return { profileId: accountId, username: 'member', sessionId: randomUUID(), reportsReadiness: false, ...fields }
}

type Groups = ReturnType<typeof startProcess>

/** A group with one connected member. */
async function startGroup(
  groups: Groups,
  fields: Partial<JoiningClient> = {},
): Promise<{ id: string; memberId: string }> {
  const { group, seat } = await groups.create({ name: 'A group' }, joiner(fields))
  groups.dispatch(group.id, { kind: 'connect', memberId: seat.memberId })
  return { id: group.id, memberId: seat.memberId }
}

/** Breaks the connection of a process to the others; resolves when it is open again. */
async function breakLink(groups: Groups): Promise<void> {
  const reopened = new Promise<void>((resolve) => {
    const stop = groups.onReopened(() => {
      stop()
      resolve()
    })
  })
  const name = `phlix phlix_watch_${groups.processId.replaceAll('-', '')}`.slice(0, 63)
  await db.query(sql.unsafe`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`)
  await reopened
}

void t.test(
  'of several processes that take a group over at once one gets it, and the others find that one',
  async (t) => {
    const first = startProcess(t)
    const { id } = await startGroup(first)
    await first.close()
    const others = [1, 2, 3, 4].map(() => startProcess(t))
    const found = await Promise.all(others.map((groups) => groups.locate(id)))
    const winners = others.filter((_, index) => found[index] === undefined)
    t.equal(winners.length, 1)
    t.strictSame(new Set(found), new Set([undefined, winners[0]?.processId]))
    await t.rejects(async () => void (await others[0]?.locate(randomUUID())), { code: 'group_not_found' })
  },
)

void t.test('a group that is taken over plays on at its position, whatever the clock of its process was', async (t) => {
  const hourAhead = { ...systemClock, now: () => new Date(Date.now() + 3_600_000) }
  const [first, next] = [startProcess(t, hourAhead), startProcess(t)]
  const { id, memberId } = await startGroup(first)
  first.dispatch(id, { kind: 'media', memberId, mediaId: randomUUID(), position: 600_000, durationMilliseconds: null })
  first.dispatch(id, { kind: 'play', memberId })
  const before = first.find(id)?.timeline
  await first.close()
  t.equal(await next.locate(id), undefined)
  const after = next.find(id)?.timeline
  if (before === undefined || after === undefined) throw new Error('no group')
  t.equal(after.state, 'playing')
  t.ok(after.seq >= before.seq + 1000)
  t.ok(Math.abs(after.atMilliseconds + 3_600_000 - before.atMilliseconds) < 1_800_000)
  t.ok(positionAt(after, next.serverMilliseconds()) >= 600_000)
})

void t.test(
  'a process whose connection was lost opens it again, and gives up the groups that others have',
  async (t) => {
    const [first, next] = [startProcess(t), startProcess(t)]
    const [kept, taken] = [await startGroup(first), await startGroup(first)]
    const moved = new Promise<string>((resolve) => first.onMoved(resolve))
    await db.query(sql.unsafe`update watch_groups set process_id = ${next.processId} where id = ${taken.id}`)
    await breakLink(first)
    t.equal(await moved, taken.id)
    t.equal(first.find(taken.id), undefined)
    t.ok(first.find(kept.id))
    t.equal(await next.locate(kept.id), first.processId, 'the process is reachable again')
  },
)

void t.test('another process sees which members are connected', async (t) => {
  const [first, next] = [startProcess(t), startProcess(t)]
  const { id, memberId } = await startGroup(first)
  const { group } = await next.joinAnywhere(id, joiner())
  t.match(group.members.get(memberId), { isConnected: true })
  t.equal(group.members.size, 2)
})

void t.test('too many wrong passwords for a group of another process are refused as such', async (t) => {
  const [first, next] = [startProcess(t), startProcess(t)]
  const { id } = await startGroup(first, { clientHash: clientPasswordHash('right') })
  const guess = async () => next.joinAnywhere(id, joiner({ clientHash: clientPasswordHash('wrong') }))
  for (let count = 0; count < 9; count += 1) await t.rejects(guess(), { code: 'wrong_group_password' })
  await guess().catch(() => undefined)
  await t.rejects(guess(), { code: 'rate_limited', kind: 'limited' })
})

void t.test('a process without groups deletes the rows of processes that have ended', async (t) => {
  const [first, clock] = [startProcess(t), movableClock()]
  const { id } = await startGroup(first)
  const other = startProcess(t, clock)
  // The first process may still store the member that has connected.
  await waitUntil('the row is deleted', async () => {
    await db.query(sql.unsafe`update watch_groups set updated_at = now() - interval '3 hours' where id = ${id}`)
    clock.advance(600)
    await other.tick()
    return (await db.maybeOneFirst(sql.unsafe`select id from watch_groups where id = ${id}`)) === null
  })
})
