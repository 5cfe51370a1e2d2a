import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { z } from 'zod'
import { killDaemon, registerAdmin, startDaemon, type Daemon } from '../../../support/daemon.ts'
import { testDatabase } from '../../../support/database.ts'
import { temporaryDataDirectory } from '../../../support/phlix.ts'
import type { SeededRandom } from '../../../support/seeded-random.ts'
import { dial, type Client, type Message } from '../../../support/sockets.ts'
import { groupOf } from './watch-group-setup.ts'

const ACCOUNT = { username: 'ann', password: 'correct horse' }

/** The longest time in milliseconds between the kill and the return of a member. */
const MAX_DELAY_MILLISECONDS = 1500

/** Attempts of a member to come back, with the pause of the web page between them. */
const ATTEMPTS = 40
const RETRY_MILLISECONDS = 500

/** A member with what it needs to come back. */
type Seat = { client: Client; daemon: number; memberId: unknown; token: unknown; seq: number }

type Setup = {
  daemons: Daemon[]
  restart: (index: number) => Promise<void>
  /** The number of the daemon that has a group. */
  ownerOf: (groupId: unknown) => Promise<number>
}

/** Real daemons on one database. */
async function startDaemons(t: Test, count: number): Promise<Setup> {
  const { pool: db, environment } = await testDatabase(t)
  const directories: string[] = []
  for (let index = 0; index < count; index += 1) directories.push(await temporaryDataDirectory(t))
  const limits = { RATE_LIMIT_WS_CONNECT_MAX: '100000', RATE_LIMIT_LOGIN_MAX: '100000' }
  const start = (directory = ''): Promise<Daemon> => startDaemon(directory, { ...environment, ...limits })
  const daemons = await Promise.all(directories.map(start))
  t.teardown(() => Promise.all(daemons.map(killDaemon)))
  const [first] = daemons
  if (first !== undefined) await registerAdmin(first)
  const processOf = async (groupId: unknown): Promise<string | undefined> => {
    const ids = await db.anyFirst(sql.type(z.strictObject({ processId: z.string() }))`
      select process_id from watch_groups where id = ${String(groupId)}`)
    return ids[0]
  }
  /** A daemon does not tell its id, so it makes a group. */
  async function processIdOf(daemon: Daemon): Promise<string | undefined> {
    const client = await connect(daemon)
    const groupId = groupOf(await enter(client, { type: 'syncplay_group_create' }))['group_id']
    const id = await processOf(groupId)
    client.send({ type: 'syncplay_group_leave' })
    await client.next('syncplay_info')
    client.socket.terminate()
    return id
  }
  const processIds = await Promise.all(daemons.map(processIdOf))
  return {
    daemons,
    async restart(index) {
      const daemon = await start(directories[index])
      daemons[index] = daemon
      processIds[index] = await processIdOf(daemon)
    },
    ownerOf: async (groupId) => processIds.indexOf(await processOf(groupId)),
  }
}

async function connect({ address }: Daemon): Promise<Client> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(ACCOUNT)
  const reply = await fetch(`${address}/api/v1/auth/login`, { method: 'POST', headers, body })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  const url = `${address.replace('http', 'ws')}/api/v1/syncplay/page`
  const client = await dial(url, { headers: { authorization: `Bearer ${token}` } })
  await client.next('connected')
  return client
}

/** The answer to a message that opens or takes a seat. */
async function enter(client: Client, message: object): Promise<Message> {
  client.send(message)
  for (;;) {
    const answer = await Promise.race([client.next('syncplay_group_state'), client.next('syncplay_error')])
    if (answer.type === 'syncplay_error' || answer['resume_token'] !== undefined) return answer
  }
}

const seqOf = (state: Message): number => (groupOf(state)['timeline'] as { seq: number }).seq

/** Comes back with the token of the seat, as the web page does: it tries again while the group moves. */
async function comeBack(seat: Seat, daemon: Daemon, groupId: unknown): Promise<Message> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (seat.client.socket.readyState !== seat.client.socket.OPEN) seat.client = await connect(daemon)
    const message = { type: 'syncplay_group_join', group_id: groupId, resume_token: seat.token }
    const answer = await enter(seat.client, message)
    if (answer.type === 'syncplay_group_state') return answer
    await pause(RETRY_MILLISECONDS)
  }
  throw new Error('a member does not come back')
}

/**
 * Kills the process that has a group with SIGKILL, again and again. Its members come back to the other processes at random moments: one of
 * these has the group then, with all seats, and each message reaches each member once.
 */
export async function killOwners(
  t: Test,
  { random, kills, daemons: count }: { random: SeededRandom; kills: number; daemons: number },
): Promise<void> {
  const { daemons, restart, ownerOf } = await startDaemons(t, count)
  const seats: Seat[] = []
  const open = async (daemon: number, message: object): Promise<Message> => {
    const client = await connect(daemons[daemon] as Daemon)
    const state = await enter(client, message)
    seats.push({ client, daemon, memberId: state['your_id'], token: state['resume_token'], seq: seqOf(state) })
    return state
  }
  const created = await open(random.below(count), {
    type: 'syncplay_group_create',
    group_name: 'Moving',
    everyone_controls: true,
  })
  const groupId = groupOf(created)['group_id']
  for (let daemon = 0; daemon < count; daemon += 1)
    await open(daemon, { type: 'syncplay_group_join', group_id: groupId })

  for (let kill = 0; kill < kills; kill += 1) {
    const owner = await ownerOf(groupId)
    seats[0]?.client.send({ type: 'syncplay_playback_seek', to_position: random.below(3_600_000) })
    await killDaemon(daemons[owner] as Daemon)
    const others = daemons.flatMap((_, index) => (index === owner ? [] : [index]))
    await Promise.all(
      seats.map(async (seat) => {
        if (seat.daemon === owner) seat.daemon = random.pick(others)
        await pause(random.below(MAX_DELAY_MILLISECONDS))
        const state = await comeBack(seat, daemons[seat.daemon] as Daemon, groupId)
        t.equal(state['your_id'], seat.memberId, `kill ${kill}: the seat is the same`)
        t.ok(seqOf(state) > seat.seq, `kill ${kill}: the sequence goes on from ${seat.seq} to ${seqOf(state)}`)
        seat.token = state['resume_token']
      }),
    )
    t.not(await ownerOf(groupId), owner, 'another process has the group')
    await hearEachOther(t, seats)
    await restart(owner)
  }
  for (const { client } of seats) client.socket.terminate()
}

/** What each member says and commands reaches all members once, in the same order. */
async function hearEachOther(t: Test, seats: readonly Seat[]): Promise<void> {
  for (const { client } of seats) client.waiting.length = 0
  for (const [index, { client }] of seats.entries()) client.send({ type: 'syncplay_chat', message: String(index) })
  const heard = await Promise.all(
    seats.map(async ({ client }) => {
      const texts: unknown[] = []
      while (texts.length < seats.length) texts.push((await client.next('syncplay_chat'))['message'])
      return texts
    }),
  )
  for (const texts of heard) t.strictSame(texts, heard[0], 'one process orders the messages')
  t.strictSame(
    heard[0]?.toSorted(),
    seats.map((_, index) => String(index)),
  )
  seats[0]?.client.send({ type: 'syncplay_playback_seek', to_position: 1000 })
  for (const seat of seats) {
    const timeline = (await seat.client.next('syncplay_timeline'))['timeline'] as { seq: number }
    seat.seq = timeline.seq
  }
  t.equal(new Set(seats.map(({ seq }) => seq)).size, 1, 'all have one timeline')
}
