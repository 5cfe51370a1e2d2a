import t, { type Test } from 'tap'
import { asMainProfile, createAccount } from '../../../src/core/accounts/index.ts'
import {
  addSchedule,
  removeSchedule,
  setStreamLimits,
  type ScheduleFields,
} from '../../../src/core/playback-limits/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { createViewingHours } from '../../../src/daemon/ws/viewing-hours.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'
import { settled, startGroups } from './watch-groups/watch-group-setup.ts'

/** An account that is connected, and how many messages it has got. */
async function connected(t: Test, start: string) {
  const clock = movableClock(start)
  const services = await testServices(t, { clock })
  const input = { username: 'kim', email: 'kim@example.test', password: 'correct horse', isAdmin: false }
  const account = await createAccount(services, input)
  let told = 0
  const connections = {
    profileIds: () => [account.id],
    sendWhere: (isMeant: (one: ReturnType<typeof asMainProfile>) => boolean) => {
      if (isMeant(asMainProfile(account))) told += 1
    },
  }
  const hours = createViewingHours(services, { connections, views: { accessChanged: () => ({}) } })
  const add = (fields: ScheduleFields) =>
    addSchedule(services, { profile: { id: account.id, accountId: account.id }, fields })
  /** How many messages there were until a moment. */
  const toldUntil = async (moment: string): Promise<number> => {
    clock.advance((Date.parse(moment) - clock.now().getTime()) / 1000)
    const before = told
    await hours.check()
    return told - before
  }
  return { account, services, hours, add, toldUntil }
}

void t.test('the beginning and the end of hours are told, to the minute of the clock in their zone', async (t) => {
  for (const { start, moments } of [
    {
      // Clocks go forward in the night to the 29th.
      start: '2026-03-28T12:00:00Z',
      moments: [
        ['2026-03-28T15:59:59Z', 0],
        ['2026-03-28T16:00:00Z', 1],
        ['2026-03-28T17:59:59Z', 0],
        ['2026-03-28T18:00:00Z', 1],
        ['2026-03-29T14:59:59Z', 0],
        ['2026-03-29T15:00:00Z', 1],
        ['2026-03-29T17:00:00Z', 1],
      ],
    },
    {
      // They go back in the night to the 25th.
      start: '2026-10-24T12:00:00Z',
      moments: [
        ['2026-10-24T15:00:00Z', 1],
        ['2026-10-24T17:00:00Z', 1],
        ['2026-10-25T15:59:59Z', 0],
        ['2026-10-25T16:00:00Z', 1],
        ['2026-10-25T18:00:00Z', 1],
      ],
    },
  ] as const) {
    const { add, hours, toldUntil } = await connected(t, start)
    await add({ startTime: '17:00', endTime: '19:00', zone: 'Europe/Berlin' })
    await hours.check()
    for (const [moment, times] of moments) t.equal(await toldUntil(moment), times, moment)
  }
})

void t.test(
  'a schedule that begins or ends to apply is told once, after its account or all were read again',
  async (t) => {
    const { account, services, add, hours, toldUntil } = await connected(t, '2026-03-01T12:00:00Z')
    const now = '2026-03-01T12:00:00Z'
    t.equal(await toldUntil(now), 0)
    const { id } = await add({ startTime: '17:00', endTime: '19:00', zone: 'UTC' })
    t.equal(await toldUntil(now), 0, 'what is known is not read with each check')
    hours.forget(account.id)
    t.equal(await toldUntil(now), 1)
    t.equal(await toldUntil(now), 0)
    await removeSchedule(services, { profile: { id: account.id, accountId: account.id }, id })
    hours.forgetAll()
    t.equal(await toldUntil(now), 1)
  },
)

void t.test(
  'another limit of bandwidth of the account or the profile is told once, a limit of streams is not',
  async (t) => {
    const { account, services, hours, toldUntil } = await connected(t, '2026-03-01T12:00:00Z')
    const now = '2026-03-01T12:00:00Z'
    t.equal(await toldUntil(now), 0)
    const owners = [{ accountId: account.id }, { profileId: account.id }]
    for (const [owner, changes, times] of [
      [owners[0], { maxKbps: 8000 }, 1],
      [owners[0], { maxKbps: 2000 }, 1],
      [owners[0], { maxStreams: 2 }, 0],
      // The limit of the account is lower.
      [owners[1], { maxKbps: 4000 }, 0],
      [owners[0], { maxKbps: null }, 1],
      [owners[1], { maxKbps: null }, 1],
    ] as const) {
      if (owner !== undefined) await setStreamLimits(services, { owner, accountId: account.id, changes })
      hours.forget(account.id)
      t.equal(await toldUntil(now), times, JSON.stringify(changes))
      t.equal(await toldUntil(now), 0)
    }
  },
)

void t.test('only the connections of the profile hear of its hours', async (t) => {
  const app = await startGroups(t)
  const { services, user, clock, server } = app
  const profile = await createProfile(services, { accountId: user.account.id, fields: { name: 'Kid', isKids: true } })
  const token = await app.signIn(user.account.id, profile.id)
  const [kid, parent] = [await app.connect(token), await app.connect(user.token)]
  await server.check()
  await addSchedule(services, { profile, fields: { startTime: '12:10', endTime: '13:00', zone: 'UTC' } })
  await kid.next('access_changed')
  await server.check()
  clock.advance(600)
  await server.check()
  await kid.next('access_changed')
  await settled(parent)
  t.notOk(parent.waiting.some(({ type }) => type === 'access_changed'))
  for (const client of [kid, parent]) client.socket.close()
})
