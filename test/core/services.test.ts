import { Client } from 'pg'
import t, { type Test } from 'tap'
import { createCoreServices } from '../../src/core/core-services.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger, type Logger } from '../../src/core/platform/logging/index.ts'
import { addMediaServices, createServices } from '../../src/core/services.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { reachableDirectory } from '../support/directories.ts'
import { waitUntil } from '../support/wait-until.ts'

const MEDIA_SERVICES = ['mediaTools', 'images', 'metadata', 'readers', 'segments', 'subtitles', 'waveforms']

async function startInput(t: Test) {
  const database = await testDatabase(t)
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: database.environment })
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = await createLogger(config, { level: 'debug', destination })
  return { database, input: { config, log }, closedParts: () => partsOf(lines, 'closed') }
}

function partsOf(lines: readonly string[], message: string): string[] {
  return lines.map((line) => JSON.parse(line)).flatMap((line) => (line.msg === message ? [line.part] : []))
}

/** A log that refuses a part of the process, as if its start had failed. */
function failingAt(log: Logger, domain: string): Logger {
  const child: Logger['child'] = (bindings, options) => {
    if (bindings['domain'] === domain) throw new Error(`${domain} does not start`)
    return log.child(bindings, options)
  }
  return new Proxy(log, { get: (target, name) => (name === 'child' ? child : Reflect.get(target, name)) })
}

/** Waits until only the test's own connections to its database are left. */
async function waitForNoOther(t: Test, { connectionUri }: TestDatabase, before: number): Promise<void> {
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  t.teardown(() => client.end())
  await waitUntil('the connections are closed', async () => (await countConnections(client)) <= before + 1)
}

async function countConnections(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}

void t.test('core services open without media services, and close in reverse order, once', async (t) => {
  const { input, closedParts } = await startInput(t)
  const services = await createCoreServices(input)
  for (const name of MEDIA_SERVICES) t.notOk(name in services, name)
  await Promise.all([services.close(), services.close()])
  await services.close()
  t.strictSame(closedParts(), ['outbound connections', 'job queue', 'database'])
})

void t.test('media services close before the core services they were opened on', async (t) => {
  const { input, closedParts } = await startInput(t)
  const services = await addMediaServices(await createCoreServices(input))
  for (const name of MEDIA_SERVICES) t.ok(name in services, name)
  await services.close()
  await services.close()
  t.strictSame(closedParts().slice(-3), ['outbound connections', 'job queue', 'database'])
  t.strictSame(closedParts().slice(0, -3), [
    'waveforms',
    'subtitles',
    'segment encoders',
    'metadata providers',
    'plugins',
    'pictures of time lines',
    'pictures',
    'file readers',
  ])
})

void t.test('a start that fails halfway closes what it had opened, and reports the failure', async (t) => {
  for (const { domain, closed } of [
    { domain: 'outbound', closed: ['job queue', 'database'] },
    {
      domain: 'subtitles',
      closed: [
        'segment encoders',
        'metadata providers',
        'plugins',
        'pictures of time lines',
        'pictures',
        'file readers',
        'outbound connections',
        'job queue',
        'database',
      ],
    },
  ]) {
    const { input, closedParts, database } = await startInput(t)
    const opening = createServices({ ...input, log: failingAt(input.log, domain) })
    await t.rejects(opening, { message: `${domain} does not start` })
    t.strictSame(closedParts(), closed)
    await waitForNoOther(t, database, 1)
  }
})
