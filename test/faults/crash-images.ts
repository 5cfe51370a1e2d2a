import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Test } from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { joinEngine } from '../../src/core/platform/database/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { dataDirectoryInMemory } from '../support/directories.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { processesOf } from '../support/processes.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'

const WRITERS = 4
/** Rows that are committed before the first image. */
const FIRST_ROWS = 200
/** Wide rows, so that pages fill and change soon. */
const PADDING_CHARACTERS = 500

/** A writing client and the rows whose commits it has seen. */
type Writing = { acknowledged: Set<string>; stop: () => Promise<void> }

/**
 * Takes crash images of a database during writes: all processes of the server are stopped, its files are copied, and the processes
 * continue. Each image is started separately. After a power failure less may be on disk, if the system had not written synchronised data;
 * that the server synchronises before it commits is checked by its settings.
 */
export async function startCrashImages(
  t: Test,
  { random, images }: { random: SeededRandom; images: number },
): Promise<void> {
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
  const original = dataDirectoryInMemory(t)
  await copyPreparedCluster(original)
  const lease = await joinEngine({ dataDirectory: original, log })
  t.teardown(() => lease.leave())
  const admin = await connectTo(t, lease.connectionUri)
  const { rows } = await admin.query(`select string_agg(name || ' ' || setting, ', ' order by name) as settings
    from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`)
  t.strictSame(rows, [{ settings: 'fsync on, full_page_writes on, synchronous_commit on' }])
  await admin.query(`create table written (id text primary key, turn int not null, padding text not null);
    create index on written (turn)`)
  const writing = await startWriting(t, lease.connectionUri)
  try {
    for (let image = 0; image < images; image += 1) {
      const known = writing.acknowledged.size
      await waitUntil('rows are written', () => writing.acknowledged.size >= known + FIRST_ROWS)
      await pause(random.below(300))
      // Every second image is taken while the server writes a checkpoint.
      const checkpoint = image % 2 === 1 ? admin.query('checkpoint') : undefined
      const { dataDirectory, acknowledged } = await takeImage(t, original, writing)
      await checkpoint
      await containsCommittedRows(t, { dataDirectory, acknowledged, log })
    }
  } finally {
    await writing.stop()
  }
}

type Image = { dataDirectory: string; acknowledged: ReadonlySet<string> }

/** No process of the server runs while its files are copied. */
async function takeImage(t: Test, original: string, writing: Writing): Promise<Image> {
  const dataDirectory = dataDirectoryInMemory(t)
  const server = processesOf(original).filter(({ command }) => /postgres/.test(command) && !/^\S*sh /.test(command))
  const acknowledged = new Set(writing.acknowledged)
  for (const { pid } of server) process.kill(pid, 'SIGSTOP')
  try {
    await waitUntil('the server is stopped', () => server.every(({ pid }) => isStopped(pid)))
    execFileSync('cp', ['-a', join(original, 'postgres'), dataDirectory])
    return { dataDirectory, acknowledged }
  } finally {
    for (const { pid } of server) process.kill(pid, 'SIGCONT')
  }
}

/** The state follows the name, which may contain brackets (proc(5), stat). */
function isStopped(pid: number): boolean {
  return /\) T [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

async function containsCommittedRows(
  t: Test,
  { dataDirectory, acknowledged, log }: Image & { log: Awaited<ReturnType<typeof createLogger>> },
): Promise<void> {
  const lease = await joinEngine({ dataDirectory, log })
  const client = await connectTo(t, lease.connectionUri)
  try {
    const { rows } = await client.query<{ id: string }>('select id from written')
    const found = new Set(rows.map(({ id }) => id))
    t.strictSame(
      [...acknowledged].filter((id) => !found.has(id)),
      [],
      `none of ${acknowledged.size} acknowledged rows is lost`,
    )
    // Verifies each index against its table.
    await client.query('create extension amcheck')
    await client.query(`select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
      where c.relkind = 'i' and a.amname = 'btree' and c.relpersistence = 'p'`)
    await client.query(`insert into written values ('after', 0, '')`)
  } finally {
    await client.end()
    await lease.leave()
  }
  t.match(
    readFileSync(join(dataDirectory, 'logs', 'postgres.log'), 'utf8'),
    /redo done at/,
    'it recovered from its log',
  )
}

/** Starts clients that each insert rows sequentially and update older ones. */
async function startWriting(t: Test, connectionUri: string): Promise<Writing> {
  const acknowledged = new Set<string>()
  const padding = 'x'.repeat(PADDING_CHARACTERS)
  let isStopping = false
  const write = async (writer: number, client: Client): Promise<void> => {
    for (let turn = 0; !isStopping; turn += 1) {
      const id = `${writer}-${turn}`
      await client.query('insert into written values ($1, $2, $3)', [id, turn, padding])
      acknowledged.add(id)
      await client.query('update written set turn = turn + 1 where id = $1', [`${writer}-${Math.floor(turn / 2)}`])
    }
  }
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => connectTo(t, connectionUri)))
  const writers = clients.map((client, writer) => write(writer, client))
  return {
    acknowledged,
    stop: async () => {
      isStopping = true
      await Promise.all(writers)
    },
  }
}

async function connectTo(t: Test, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  t.teardown(() => client.end())
  return client
}
