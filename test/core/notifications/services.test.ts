import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { sql } from 'slonik'
import t from 'tap'
import { enqueueEvent, startDeliveryDispatch, type OutboxEvent } from '../../../src/core/outbox/index.ts'
import {
  addChannel,
  listChannels,
  removeChannel,
  sendNotification,
  testChannel,
} from '../../../src/core/notifications/index.ts'
import { BOT_TOKEN, PUSHOVER_TOKEN, PUSHOVER_USER, startFakeNotifiers } from '../../support/fake-notifiers.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const clock = movableClock('2026-03-01T12:00:00.000Z')
const services = await testServices(t, { clock })
const { db } = services
const fake = await startFakeNotifiers(t)

/** A real broker, with one account. */
const broker = await Aedes.createBroker({
  authenticate: (_client, username, password, done) => done(null, username === 'phlix' && String(password) === 'hush'),
})
const brokerServer = createServer(broker.handle).listen(0, '127.0.0.1')
await once(brokerServer, 'listening')
const brokerUrl = `mqtt://127.0.0.1:${(brokerServer.address() as AddressInfo).port}`
t.teardown(async () => {
  await new Promise<void>((resolve) => broker.close(() => resolve()))
  brokerServer.close()
})
const published: { topic: string; payload: Record<string, unknown>; retain: boolean; qos: number }[] = []
broker.on('publish', ({ topic, payload, retain, qos }, client) => {
  if (client !== null) published.push({ topic, payload: JSON.parse(String(payload)), retain, qos })
})

const SETTINGS: Record<string, Record<string, string>> = {
  discord: { url: `${fake.url}/discord/api/webhooks/1/hush` },
  slack: { url: `${fake.url}/slack/services/T0/B0/hush` },
  telegram: { token: BOT_TOKEN, chat_id: '-100200300', server: `${fake.url}/telegram/` },
  ntfy: { topic: 'my-phlix', token: 'tk_hush', server: `${fake.url}/ntfy` },
  pushover: { token: PUSHOVER_TOKEN, user: PUSHOVER_USER, server: `${fake.url}/pushover` },
  apprise: { url: `${fake.url}/apprise/notify/phlix`, tag: 'films' },
  mqtt: { url: brokerUrl, topic: 'home/phlix', username: 'phlix', password: 'hush' },
}
const HTTP_SERVICES = ['discord', 'slack', 'telegram', 'ntfy', 'pushover', 'apprise']

const add = (service: string, more: Record<string, string> = {}) =>
  addChannel(services, { name: service, service, events: [], settings: { ...SETTINGS[service], ...more } })

async function deliver(): Promise<void> {
  const dispatch = startDeliveryDispatch(services, {
    channel: (delivery, signal) => sendNotification(services, delivery, signal),
    webhook: () => Promise.reject(new Error('no webhooks here')),
    scrobbler: () => Promise.reject(new Error('no scrobblers here')),
  })
  await dispatch.settle()
  await dispatch.stop()
}

const play = {
  userId: 'u',
  userName: 'Ada',
  mediaItemId: 'i',
  mediaType: 'movie',
  title: 'Alien (1979)',
  deviceId: 'd',
  deviceName: 'TV',
}
const library = { libraryId: 'l', libraryName: 'Films', mediaItemIds: ['i'] }
const EVENTS: OutboxEvent[] = [
  { event: 'playback.started', ...play },
  { event: 'playback.ended', ...play, durationSeconds: 7020, isCompleted: true },
  { event: 'library.updated', change: 'item_added', ...library, itemCount: 3, titles: ['Alien', 'Heat'] },
]
const WORDS = [
  ['Playback started', 'Ada is playing Alien (1979) on TV.'],
  ['Playback finished', 'Ada finished Alien (1979) on TV after 1 h 57 min.'],
  ['Films: 3 items added', 'Alien, Heat and 1 more'],
] as const

/** Title and text as displayed by a service; null where it has no such part. */
function shown(service: string, message: Record<string, unknown>): (string | null)[] {
  const of = (value: unknown, ...names: string[]) =>
    names.map((name) => String((value as Record<string, unknown>)[name]))
  if (service === 'discord') {
    return of((message['embeds'] as unknown[])[0], 'title', 'description').map((it) => it.replaceAll(/\\(.)/gu, '$1'))
  }
  if (service === 'ntfy' || service === 'pushover') return of(message, 'title', 'message')
  if (service === 'apprise') return of(message, 'title', 'body')
  const plain = String(message['text'])
    .replaceAll(/<\/?b>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return [plain.slice(0, plain.indexOf('\n')), plain.slice(plain.indexOf('\n') + 1)]
}

t.beforeEach(async () => {
  Object.assign(fake, { behaviour: 'well', taken: [], calls: [] })
  published.length = 0
  for (const { id } of await listChannels(services)) await removeChannel(services, id)
})

void t.test('each of the seven services receives each of the three events as text', async (t) => {
  for (const service of Object.keys(SETTINGS)) await add(service)
  for (const event of EVENTS) await enqueueEvent(db, event, clock.now())
  await deliver()
  for (const service of HTTP_SERVICES) {
    const messages = fake.taken.filter((call) => call.service === service)
    t.strictSame(
      messages.map(({ message }) => shown(service, message)),
      WORDS,
      service,
    )
  }
  const messageOf = (service: string) => fake.taken.find((call) => call.service === service)?.message
  t.match(messageOf('discord'), {
    username: 'Phlix',
    allowed_mentions: { parse: [] },
    embeds: [{ timestamp: '2026-03-01T12:00:00.000Z' }],
  })
  t.match(messageOf('slack'), { mrkdwn: false, parse: 'none', link_names: false })
  t.match(messageOf('telegram'), { parse_mode: 'HTML', text: /^<b>Playback started<\/b>\n/ })
  t.match(messageOf('ntfy'), { topic: 'my-phlix', tags: ['clapper'], priority: 3 })
  t.match(messageOf('pushover'), { timestamp: 1_772_366_400 })
  t.match(
    fake.taken.filter(({ service }) => service === 'apprise').map(({ message }) => message),
    [{ type: 'info', tag: 'films', format: 'text' }, { type: 'success' }, { type: 'success' }],
  )
  t.match(published, [
    {
      topic: 'home/phlix/playback/started',
      qos: 1,
      retain: false,
      payload: { event_type: 'playback.started', payload: { user_id: 'u', device_id: 'd' }, title: 'Playback started' },
    },
    { topic: 'home/phlix/playback/ended', payload: { payload: { duration_seconds: 7020, completed: true } } },
    { topic: 'home/phlix/library/updated', payload: { payload: { change_type: 'item_added', media_item_id: 'i' } } },
  ])
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from deliveries where status <> 'success'`), 0)
})

void t.test('names with special meaning for a service arrive unchanged and mention no user', async (t) => {
  const hostile =
    '*M*A*S*H* _x_ ~y~ `z` ||spoiler|| <@123> @everyone <!channel> <b>&amp;</b> [a](http://evil.test) > quote # head - 1. <script>'
  for (const service of Object.keys(SETTINGS)) await add(service)
  const title = `${hostile}\r\nX-Evil: 1\u001b\u202E 君の名は 🎬`
  await enqueueEvent(db, { event: 'playback.started', ...play, title, deviceName: null }, clock.now())
  await deliver()
  const expected = `Ada is playing ${hostile} \nX-Evil: 1   君の名は 🎬.`
  for (const service of HTTP_SERVICES) {
    const { message } = fake.taken.find((call) => call.service === service) ?? { message: {} }
    t.strictSame(shown(service, message), ['Playback started', expected], service)
  }
  const raw = (service: string): string => JSON.stringify(fake.taken.find((call) => call.service === service)?.message)
  t.notMatch(raw('discord'), /[^\\]<@|[^\\]@everyone|[^\\]\|\||http:\/\//, 'every sign is escaped')
  t.notMatch(raw('slack'), /<|>|&(?!amp;|lt;|gt;)/)
  t.equal(published.length, 1)
})

void t.test('text that is too long for a service is truncated, never within a character or an escape', async (t) => {
  for (const service of Object.keys(SETTINGS)) await add(service)
  for (const filler of ['🎬*', '<&>', 'é', 'x']) {
    fake.taken.length = 0
    const long = filler.repeat(40_000)
    const names = { libraryName: long, titles: [long], itemCount: 1 }
    await enqueueEvent(db, { event: 'library.updated', change: 'item_removed', ...library, ...names }, clock.now())
    await deliver()
    for (const service of HTTP_SERVICES) {
      const { message } = fake.taken.find((call) => call.service === service) ?? { message: {} }
      const [title = '', text = ''] = shown(service, message) as string[]
      t.ok(title.isWellFormed() && text.isWellFormed(), `${service} ${filler}`)
      if (service !== 'slack') t.match([title, text], [/…$/, /…$/], `${service} ${filler}`)
    }
  }
  t.strictSame(
    fake.calls.filter((call) => !/ 20[04]$/.test(call)),
    [],
  )
})

type Row = {
  status: string
  attempts: number
  errorMessage: string | null
  wait: number | null
  responseBody: string | null
}

async function outcomeOf(service: string): Promise<Row> {
  await enqueueEvent(db, EVENTS[0] as OutboxEvent, clock.now())
  await deliver()
  const [row] = (await db.any(sql.unsafe`
    select d.status, d.attempts, d.error_message, d.response_body,
      extract(epoch from d.next_attempt_at - d.attempted_at)::float8 as wait
    from deliveries d join delivery_targets t on t.id = d.target_id where t.name = ${service} order by d.position desc limit 1`)) as unknown as Row[]
  await db.query(sql.unsafe`delete from deliveries`)
  return row ?? { status: '', attempts: 0, errorMessage: null, wait: null, responseBody: null }
}

void t.test('a rate-limited service is retried after the requested delay', async (t) => {
  for (const [service, least, maxSize] of [
    ['discord', 64.57, 64.58],
    ['slack', 30, 30],
    ['telegram', 35, 35],
    ['ntfy', 1, 1.25],
    ['pushover', 1, 1.25],
    ['apprise', 1, 1.25],
  ] as const) {
    await add(service)
    fake.behaviour = 'limiting'
    const { status, attempts, errorMessage, wait } = await outcomeOf(service)
    t.strictSame([status, attempts], ['pending', 1], service)
    t.ok(wait !== null && wait >= least && wait <= maxSize + 0.001, `${service} ${wait}`)
    t.match(errorMessage, /answered with status 429/)
    fake.behaviour = 'failing'
    t.match(await outcomeOf(service), { status: 'pending', errorMessage: /answered with status 502/ }, service)
    await removeChannel(services, service)
  }
})

void t.test('a final rejection is not retried, and has the reason without the keys', async (t) => {
  for (const [service, reason] of [
    ['discord', 'Discord answered with status 404: Unknown Webhook'],
    ['slack', 'Slack answered with status 410: channel_is_archived'],
    ['telegram', 'Telegram answered with status 400: Bad Request: chat not found'],
    ['ntfy', 'ntfy answered with status 403: forbidden'],
    ['pushover', 'Pushover answered with status 400: user identifier *** is invalid'],
  ] as const) {
    await add(service)
    fake.behaviour = 'gone'
    const outcome = await outcomeOf(service)
    t.match(outcome, { status: 'failed', attempts: 1, errorMessage: reason }, service)
    t.notMatch(JSON.stringify(outcome), /hush|uQiRzpo4|azGDORe|ABC-DEF/)
    await removeChannel(services, service)
  }
  await add('apprise')
  t.match(
    await outcomeOf('apprise'),
    { status: 'pending', errorMessage: /status 424: One or more/ },
    'the service behind it may recover',
  )
  await removeChannel(services, 'apprise')
  fake.behaviour = 'well'
  await add('apprise', { url: `${fake.url}/apprise/notify/other` })
  t.match(await outcomeOf('apprise'), { status: 'failed', errorMessage: /no configuration of this key/ })
  await add('telegram', { token: `${BOT_TOKEN}x` })
  const unauthorized = await outcomeOf('telegram')
  t.match(unauthorized, {
    status: 'failed',
    errorMessage: 'Telegram answered with status 401: Unauthorized: /bot***/sendMessage',
  })
  t.notMatch(JSON.stringify(unauthorized), /ABC-DEF/)
  fake.behaviour = 'foreign'
  t.match(
    await outcomeOf('telegram'),
    { status: 'failed', errorMessage: /not its interface/ },
    'another program answers',
  )
})

void t.test('a broker that refuses the password or is missing is a failure like any other', async (t) => {
  await add('mqtt', { password: 'wrong' })
  const refused = await outcomeOf('mqtt')
  t.match(refused, {
    status: 'pending',
    attempts: 1,
    errorMessage: /: it (?:refuses the user name or password|does not authorise this client)\.$/,
  })
  await removeChannel(services, 'mqtt')
  await add('mqtt', { url: 'mqtt://127.0.0.1:1' })
  t.match(await outcomeOf('mqtt'), { status: 'pending', errorMessage: '127.0.0.1:1 cannot be reached.' })
  t.strictSame(published, [])
})

void t.test('channels are validated at creation, and their secrets are masked', async (t) => {
  for (const service of Object.keys(SETTINGS)) await add(service)
  const listed = await listChannels(services)
  t.strictSame(
    listed.map(({ name }) => name),
    Object.keys(SETTINGS).toSorted(),
  )
  t.notMatch(JSON.stringify(listed), /hush|uQiRzpo4|azGDORe|ABC-DEF/)
  t.match(listed.find(({ name }) => name === 'mqtt')?.settings, { url: brokerUrl, username: 'phlix', password: '***' })
  await t.rejects(addChannel(services, { name: 'NTFY', service: 'ntfy', events: [], settings: { topic: 'x' } }), {
    code: 'channel_exists',
  })
  const cases: [string, Record<string, string>, string][] = [
    ['discord', {}, 'url is required for discord'],
    ['discord', { url: 'https://a.test/x', other: '1' }, 'other is no setting of discord'],
    ['discord', { url: 'http://169.254.169.254/latest' }, 'The address of 169.254.169.254 is not allowed.'],
    ['slack', { url: 'ftp://a.test' }, 'url must be an http or https address'],
    ['slack', { url: 'http://a.test/x\r\nX: 1' }, 'url must be an http or https address'],
    ['telegram', { token: 'x', chat_id: '1' }, 'token must be the token of a bot, as 123456:ABC…'],
    ['telegram', { token: `${BOT_TOKEN}/../x`, chat_id: '1' }, 'token must be the token of a bot, as 123456:ABC…'],
    [
      'telegram',
      { token: BOT_TOKEN, chat_id: '1; drop' },
      'chat_id must be the number of a chat or the @name of a channel',
    ],
    ['ntfy', { topic: 'a/b' }, 'topic must be 1 to 64 letters, digits, - and _'],
    ['ntfy', { topic: 'a', token: 'a\r\nX-Evil: 1' }, 'token must be printable characters without spaces'],
    ['ntfy', { topic: 'a', username: 'b' }, 'password goes with username'],
    ['ntfy', { topic: 'a', server: 'https://a.test/?x' }, 'server must be an http or https address without a query'],
    ['pushover', { token: 'x', user: PUSHOVER_USER }, 'token must be 30 letters and digits'],
    ['apprise', { url: 'http://[fe80::1]/notify/x' }, 'The address of [fe80::1] is not allowed.'],
    ['mqtt', { url: 'http://a.test' }, 'url must be mqtt://host or mqtts://host, with a port if need be'],
    ['mqtt', { url: 'mqtt://169.254.169.254' }, 'The address of 169.254.169.254 is not allowed.'],
    ['mqtt', { url: 'mqtt://2852039166' }, 'The address of 2852039166 is not allowed.'],
    ['mqtt', { url: 'mqtt://u:p@a.test' }, 'An address must not contain a user name or password.'],
    ['mqtt', { url: 'mqtt://a.test', topic: 'a/#' }, 'topic must be a topic without wildcards, as home/phlix'],
    ['mqtt', { url: 'mqtt://a.test', topic: '$SYS/x' }, 'topic must be a topic without wildcards, as home/phlix'],
    ['teams', {}, 'service must be one of discord, slack, telegram, ntfy, pushover, apprise, mqtt'],
  ]
  for (const [service, settings, message] of cases) {
    const input = { name: `new ${service}`, service, events: [], settings }
    await t.rejects(addChannel(services, input), { code: 'invalid_channel', message }, message)
  }
  for (const name of ['', ' ', 'x'.repeat(129), 'a\nb']) {
    await t.rejects(addChannel(services, { name, service: 'ntfy', events: [], settings: { topic: 'a' } }), {
      code: 'invalid_channel',
    })
  }
  const odd = { name: 'odd', service: 'ntfy', events: ['webhook.test'], settings: { topic: 'a' } }
  await t.rejects(addChannel(services, odd), { code: 'invalid_channel' })
  t.equal((await listChannels(services)).length, 7)
})

void t.test('a test of a channel returns its result', async (t) => {
  const { signal } = new AbortController()
  await add('discord')
  t.match(await testChannel(services, 'DISCORD', signal), { status: 'success', targetName: 'discord', attempts: 1 })
  t.match(shown('discord', fake.taken[0]?.message ?? {}), ['Test', 'This is a test of the channel discord.'])
  fake.behaviour = 'limiting'
  t.match(await testChannel(services, 'discord', signal), {
    status: 'failed',
    attempts: 1,
    errorMessage: /rate limited/,
  })
  await t.rejects(testChannel(services, 'nobody', signal), { code: 'channel_not_found' })
  await t.rejects(removeChannel(services, 'nobody'), { code: 'channel_not_found' })
})
