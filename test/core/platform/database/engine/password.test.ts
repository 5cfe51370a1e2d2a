import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../../src/core/platform/config/index.ts'
import { joinEngine, type EngineLease } from '../../../../../src/core/platform/database/index.ts'
import { engineAccount } from '../../../../../src/core/platform/database/engine/engine-account.ts'
import { enginePrograms } from '../../../../../src/core/platform/database/engine/engine-programs.ts'
import {
  requirePassword,
  setClusterPassword,
} from '../../../../../src/core/platform/database/engine/require-password.ts'
import { createLogger } from '../../../../../src/core/platform/logging/index.ts'
import { dataDirectoryInMemory } from '../../../../support/directories.ts'
import { copyPreparedCluster } from '../../../../support/prepared-cluster.ts'
import { untilNoProcessOf } from '../../../../support/processes.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const RULES_OF_BEFORE = 'local all all trust\n'

type Place = { dataDirectory: string; cluster: string; secret: string; rules: string }

async function preparedPlace(t: Test): Promise<Place> {
  const dataDirectory = dataDirectoryInMemory(t)
  await copyPreparedCluster(dataDirectory)
  const cluster = join(dataDirectory, 'postgres')
  return { dataDirectory, cluster, secret: join(cluster, 'phlix-password'), rules: join(cluster, 'pg_hba.conf') }
}

async function joinFor(t: Test, { dataDirectory }: Place): Promise<EngineLease> {
  const lease = await joinEngine({ dataDirectory, log, isDurable: false })
  t.teardown(() => lease.leave())
  return lease
}

async function ask(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Empty for a process that has ended. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const withoutPassword = ({ connectionUri }: EngineLease): string => connectionUri.replace(/:[^:@]+@/, '@')
const withWrongPassword = ({ connectionUri }: EngineLease): string => connectionUri.replace(/:[^:@]+@/, ':wrong@')
const TITLES = 'select title from films'

/** A stopped cluster as releases before this one made it: without a password, and with data. */
async function placeOfBefore(t: Test): Promise<Place> {
  const place = await preparedPlace(t)
  const first = await joinEngine({ dataDirectory: place.dataDirectory, log, isDurable: false })
  await ask(first.connectionUri, `create table films as select 'Alien' as title`)
  await ask(first.connectionUri, 'alter role phlix password null')
  await first.leave()
  await untilNoProcessOf(place.dataDirectory)
  writeFileSync(place.rules, RULES_OF_BEFORE)
  rmSync(place.secret)
  return place
}

void t.test('a statement of the first start that fails leaves the access rules as they were', async (t) => {
  const { dataDirectory, cluster, rules } = await placeOfBefore(t)
  const account = engineAccount(dataDirectory)
  const { postgres } = enginePrograms(dataDirectory, account)
  const input = { dataDirectory, cluster, postgres, account }
  await t.rejects(setClusterPassword(input, ['create database phlix']), {
    code: 'engine_failed',
    message: /already exists/,
  })
  t.equal(readFileSync(rules, 'utf8'), RULES_OF_BEFORE)
  await setClusterPassword(input)
  t.match(readFileSync(rules, 'utf8'), /scram-sha-256/)
})

void t.test('no password is set while a restore of the data directory is pending', async (t) => {
  const { dataDirectory, cluster, rules } = await placeOfBefore(t)
  writeFileSync(join(dataDirectory, 'restore.json'), '{}')
  const account = engineAccount(dataDirectory)
  const { postgres } = enginePrograms(dataDirectory, account)
  const attempt = requirePassword({ dataDirectory, cluster, postgres, account }, () => false)
  await t.rejects(attempt, { code: 'engine_replaced' })
  t.equal(readFileSync(rules, 'utf8'), RULES_OF_BEFORE)
})

void t.test('another process of the account cannot connect without the file of the password (PI-04)', async (t) => {
  const place = await preparedPlace(t)
  const lease = await joinFor(t, place)
  t.same(await ask(lease.connectionUri, 'select 1 as one'), [{ one: 1 }])
  for (const name of ['phlix', 'postgres', 'template1']) {
    const uri = withoutPassword(lease).replace(/\/phlix$/, `/${name}`)
    await t.rejects(ask(uri, 'select 1'), /password/, `${name} without a password`)
  }
  await t.rejects(ask(withWrongPassword(lease), 'select 1'), { code: '28P01' })
  const { mode, uid } = statSync(place.secret)
  t.equal(mode & 0o777, 0o600)
  t.equal(uid, statSync(place.dataDirectory).uid, 'it belongs to the owner of the data directory')
})

void t.test('the password is not in the log of the server, its arguments or the file of the roles', async (t) => {
  const place = await preparedPlace(t)
  const lease = await joinFor(t, place)
  const password = readFileSync(place.secret, 'utf8').trim()
  const [{ rolpassword } = { rolpassword: '' }] = (await ask(
    lease.connectionUri,
    'select rolpassword from pg_authid where rolname = current_user',
  )) as { rolpassword: string }[]
  t.match(rolpassword, /^SCRAM-SHA-256\$/)
  const serverLog = readFileSync(join(place.dataDirectory, 'logs', 'postgres.log'), 'utf8')
  const commandLines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLineOf)
  t.ok(
    commandLines.some((text) => text.includes(place.cluster)),
    'the server is among them',
  )
  for (const text of [rolpassword, serverLog, ...commandLines]) t.notOk(text.includes(password))
})

void t.test('a cluster of an older release keeps its data and needs the password from the next start on', async (t) => {
  const place = await placeOfBefore(t)
  const leases = await Promise.all(Array.from({ length: 4 }, () => joinFor(t, place)))
  for (const lease of leases) t.same(await ask(lease.connectionUri, TITLES), [{ title: 'Alien' }])
  await t.rejects(ask(withoutPassword(leases[0] as EngineLease), TITLES), /password/)
})

void t.test('a conversion that was killed halfway is completed by the next start', async (t) => {
  const place = await placeOfBefore(t)
  // The file was written, the role and the rules were not changed.
  writeFileSync(place.secret, 'secret-of-a-killed-start\n', { mode: 0o600 })
  const lease = await joinFor(t, place)
  t.match(lease.connectionUri, 'secret-of-a-killed-start')
  t.same(await ask(lease.connectionUri, TITLES), [{ title: 'Alien' }])
  await t.rejects(ask(withoutPassword(lease), TITLES), /password/)
})

void t.test('a server of an older release that still runs is used, and converted at its next start', async (t) => {
  const place = await placeOfBefore(t)
  const converted = await joinEngine({ dataDirectory: place.dataDirectory, log, isDurable: false })
  const pid = Number(readFileSync(join(place.cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  // The running server reads the rules of the older release, as if that release had started it.
  writeFileSync(place.rules, RULES_OF_BEFORE)
  rmSync(place.secret)
  process.kill(pid, 'SIGHUP')
  const lease = await joinFor(t, place)
  await converted.leave()
  t.ok(existsSync(place.secret), 'the password of the next start is known already')
  await lease.leave()
  await untilNoProcessOf(place.dataDirectory)
  const next = await joinFor(t, place)
  t.equal(next.connectionUri, lease.connectionUri)
  t.same(await ask(lease.connectionUri, TITLES), [{ title: 'Alien' }])
})

void t.test('a deleted file is reported while the server runs, and replaced by the next start', async (t) => {
  const place = await preparedPlace(t)
  const first = await joinEngine({ dataDirectory: place.dataDirectory, log, isDurable: false })
  rmSync(place.secret)
  await t.rejects(joinEngine({ dataDirectory: place.dataDirectory, log }), {
    code: 'engine_failed',
    message: /deleted/,
  })
  await first.leave()
  await untilNoProcessOf(place.dataDirectory)
  const lease = await joinFor(t, place)
  t.same(await ask(lease.connectionUri, 'select 1 as one'), [{ one: 1 }])
  t.not(lease.connectionUri, first.connectionUri)
})

void t.test('rules that an administrator added are kept', async (t) => {
  const place = await preparedPlace(t)
  const added = `${readFileSync(place.rules, 'utf8')}local reports reader scram-sha-256\n`
  const { uid, gid } = statSync(place.rules)
  writeFileSync(place.rules, added)
  chownSync(place.rules, uid, gid)
  await joinFor(t, place)
  t.equal(readFileSync(place.rules, 'utf8'), added)
})
