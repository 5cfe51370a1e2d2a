import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import t from 'tap'
import { createBackup, recordVerification } from '../../../src/core/backups/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { requireToken, startMetricsServer } from '../../../src/daemon/metrics-port/metrics-server.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { startApp } from '../../support/app.ts'
import { freePort } from '../../support/free-port.ts'
import { installSource } from '../../support/plugins.ts'
import { makeLibrary } from '../../support/records.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { selfSignedLoopback } from '../../support/self-signed.ts'
import { testServices } from '../../support/services.ts'

const TOKEN = 'a-token-of-the-test'

/** `name{label="value",…} number` → name, labels and value. */
type Sample = { name: string; labels: Record<string, string>; value: number }

function parseSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (found === null) return []
    const labels = Object.fromEntries(
      [...(found[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map((pair) => [pair[1], pair[2]]),
    )
    return [{ name: found[1] ?? '', labels: labels as Record<string, string>, value: Number(found[3]) }]
  })
}

void t.test('metrics of a server', async (t) => {
  const port = await freePort()
  const site = createTlsServer(selfSignedLoopback).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.teardown(() => site.close())
  const services = await testServices(t, {
    flags: {
      'metrics.port': String(port),
      'metrics.token': TOKEN,
      'server.public_url': `https://localhost:${(site.address() as AddressInfo).port}`,
    },
  })
  let isDead = false
  const one: typeof services.db.one = (...query) =>
    isDead ? Promise.reject(new Error('connection terminated')) : services.db.one(...query)
  const db = { ...services.db, one }
  let now = 0
  const clock = { ...systemClock, monotonicMilliseconds: () => now }
  const app = await startApp(t, { services })
  const server = await startMetricsServer({ ...services, db, clock }, app.app)
  t.teardown(() => server?.close())
  const read = (authorization?: string) =>
    fetch(`http://127.0.0.1:${port}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
  const scrape = async (): Promise<Sample[]> => {
    now += 100_000
    const reply = await read(`Bearer ${TOKEN}`)
    t.equal(reply.status, 200)
    return parseSamples(await reply.text())
  }
  const valueOf = (samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined =>
    samples.find(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )?.value

  await t.test('need the token', async (t) => {
    for (const wrong of [undefined, 'Bearer wrong', TOKEN, `Bearer ${TOKEN}x`]) t.equal((await read(wrong)).status, 401)
    t.equal((await app.ask('GET', '/metrics')).status, 404, 'the port of the API has none')
  })

  await t.test('count requests by route pattern and class, never by path', async (t) => {
    const { token } = await app.registerAdmin()
    for (const id of ['1', '2', '3']) await app.ask('GET', `/api/v1/media/secret-${id}`, { token })
    await app.ask('GET', '/no/such/page/private')
    await app.ask('POST', '/api/v1/auth/login', { body: { username: 'x', password: 'wrong password' } })
    const samples = await scrape()
    const name = 'phlix_http_request_duration_seconds_count'
    t.equal(valueOf(samples, name, { route: '/api/v1/media/:id', method: 'GET', class: '4xx' }), 3)
    t.equal(valueOf(samples, 'phlix_auth_failures_total', { surface: 'password' }), 1)
    t.notMatch(JSON.stringify(samples), /secret-|private|127\.0\.0\.1/)
    const patterns = new Set(app.app.declaredRoutes.map(({ url }) => url))
    for (const { labels } of samples)
      if (labels['route'] !== undefined) t.ok(patterns.has(labels['route']) || labels['route'] === '(no route)')
  })

  await t.test('show the catalogue, the jobs, the disk and the connections', async (t) => {
    await makeLibrary(services.db, reachableDirectory(t), 'Films')
    services.events.publish('library.updated', {
      libraryId: 'x',
      scanJobId: 'x',
      jobType: 'scan',
      outcome: 'failed',
      itemsAdded: 0,
      itemsRemoved: 0,
    })
    const samples = await scrape()
    t.equal(valueOf(samples, 'phlix_db_up'), 1)
    t.equal(valueOf(samples, 'phlix_jobs_ended_total', { kind: 'scan', outcome: 'failed' }), 1)
    t.equal(valueOf(samples, 'phlix_build_info'), 1)
    for (const name of ['phlix_disk_free_bytes', 'phlix_db_bytes', 'phlix_disk_min_free_bytes'])
      t.ok((valueOf(samples, name) ?? 0) > 0, name)
    t.ok((valueOf(samples, 'phlix_connections', { kind: 'http' }) ?? 0) >= 0)
    t.ok((valueOf(samples, 'phlix_db_query_seconds_count') ?? 0) >= 1)
  })

  await t.test('show segments, encoders, scans, requests, backups, plugins and the certificate', async (t) => {
    const before = await scrape()
    t.equal(valueOf(before, 'phlix_backup_bytes'), undefined, 'absent without a backup')
    t.equal(valueOf(before, 'phlix_scan_items_total', { change: 'added' }), 0)

    for (const listener of services.segments.listeners) {
      listener({ kind: 'video', isMade: true, milliseconds: 1500 })
      listener({ kind: 'copy', isMade: false, milliseconds: 20 })
    }
    for (const listener of services.segments.startListeners) listener({ encoder: 'libx264', result: 'failed' })
    const answered = { purpose: 'update-check', url: `http://127.0.0.1:${port}/metrics`, trust: 'configured' } as const
    await services.outbound.send({ ...answered, timeoutMilliseconds: 60_000, maximumBytes: 65_536 })
    const scan = { libraryId: 'x', itemsAdded: 3, itemsUpdated: 2, itemsRemoved: 1, durationMs: 4000 }
    services.events.publish('plugin.event', { name: 'library.scan.completed', payload: scan })
    const backup = await createBackup(services)
    t.equal(valueOf(before, 'phlix_backup_verified'), undefined, 'absent without a verification')
    await recordVerification(services, { path: backup.path, result: 'damaged' })
    const source = 'export default class {}'
    await installSource(t, services, { source, name: 'phlix-plugin-stopped', isEnabled: true })
    await installSource(t, services, { source, name: 'phlix-plugin-unused' })

    const samples = await scrape()
    t.equal(valueOf(samples, 'phlix_segment_seconds_sum', { kind: 'video', result: 'made' }), 1.5)
    t.equal(valueOf(samples, 'phlix_segment_seconds_count', { kind: 'copy', result: 'failed' }), 1)
    t.equal(valueOf(samples, 'phlix_scan_items_total', { change: 'added' }), 3)
    t.equal(valueOf(samples, 'phlix_scan_items_total', { change: 'removed' }), 1)
    t.equal(valueOf(samples, 'phlix_scan_duration_seconds_sum'), 4)
    t.equal(valueOf(samples, 'phlix_transcode_starts_total', { encoder: 'libx264', result: 'failed' }), 1)
    t.equal(valueOf(samples, 'phlix_outbound_requests_total', { purpose: 'update-check', result: '4xx' }), 1)
    t.equal(valueOf(samples, 'phlix_outbound_requests_total', { purpose: 'webhook', result: '2xx' }), 0)
    t.equal(valueOf(samples, 'phlix_backup_bytes'), backup.bytes)
    t.equal(valueOf(samples, 'phlix_backup_verified'), 0)
    const verifiedAt = valueOf(samples, 'phlix_backup_verified_timestamp_seconds') ?? 0
    t.ok(verifiedAt >= backup.createdAt.getTime() / 1000 - 1)
    await recordVerification(services, { path: backup.path, result: 'ok' })
    await recordVerification(services, { path: join(t.testdir(), 'other.tar'), result: 'damaged' })
    t.equal(valueOf(await scrape(), 'phlix_backup_verified'), 1, 'archives of other folders do not count')
    const time = Math.floor(backup.createdAt.getTime() / 1000)
    t.equal(valueOf(samples, 'phlix_backup_last_success_timestamp_seconds'), time)
    const [expiry = 0] = [valueOf(samples, 'phlix_certificate_expiry_timestamp_seconds')]
    t.equal(new Date(expiry * 1000).getUTCFullYear(), 2126)
    t.equal(valueOf(samples, 'phlix_plugin_up', { plugin: 'phlix-plugin-stopped' }), 0, 'enabled, and does not run')
    t.equal(valueOf(samples, 'phlix_plugin_up', { plugin: 'phlix-plugin-unused' }), undefined)
  })

  await t.test('a dead database does not fail the scrape', async (t) => {
    isDead = true
    const samples = await scrape()
    t.equal(valueOf(samples, 'phlix_db_up'), 0)
    t.equal(valueOf(samples, 'phlix_streams_active'), undefined)
    t.equal(valueOf(samples, 'phlix_library_items'), undefined)
    t.ok((valueOf(samples, 'phlix_disk_free_bytes') ?? 0) > 0)
    isDead = false
    t.equal(valueOf(await scrape(), 'phlix_db_up'), 1)
    t.equal(valueOf(await scrape(), 'phlix_streams_active'), 0)
  })

  await t.test('exist with every label that the dashboard and the alert rules name', async (t) => {
    const samples = await scrape()
    const labelsOf = new Map<string, Set<string>>()
    for (const { name, labels } of samples) {
      const known = labelsOf.get(name) ?? new Set(['job', 'instance', 'le'])
      for (const label of Object.keys(labels)) known.add(label)
      labelsOf.set(name, known)
    }
    // Families whose rows need content: an empty server has none.
    const contentOf = {
      phlix_library_items: ['type'],
      phlix_jobs: ['kind', 'state'],
      phlix_webhook_deliveries: ['state'],
    }
    for (const [name, labels] of Object.entries(contentOf)) labelsOf.set(name, new Set(labels))
    const expressions = namedExpressions()
    t.ok(expressions.length > 15)
    for (const { file, text } of expressions) {
      for (const [, name = '', selector = ''] of text.matchAll(/\b((?:phlix|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)) {
        const known = labelsOf.get(name)
        t.ok(known, `${name} of ${file} exists`)
        for (const [, label = ''] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
          t.ok(known?.has(label), `${name}{${label}}`)
      }
      for (const [, labels = ''] of text.matchAll(/\bby \(([^)]*)\)/g)) {
        const names = [...text.matchAll(/\b(phlix_\w+)/g)].map((found) => found[1] ?? '')
        for (const label of labels.split(','))
          t.ok(
            names.some((name) => labelsOf.get(name)?.has(label.trim())),
            label,
          )
      }
    }
  })
})

/** The expressions of the dashboard and of the alert rules in contrib/. */
function namedExpressions(): { file: string; text: string }[] {
  const folder = join(import.meta.dirname, '../../../contrib/monitoring')
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const found = file.endsWith('.json')
      ? [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map((one) => JSON.parse(one[1] ?? '""') as string)
      : [...text.matchAll(/^ +expr: (.+)$/gm)].map((one) => one[1] ?? '')
    return found.map((expression) => ({ file, text: expression }))
  })
}

void t.test('metrics on an address that others can reach need a token', (t) => {
  const check = (flags: Record<string, string>) => (): void =>
    requireToken(loadConfig({ environment: {}, dataDirectory: '/nonexistent', flags }))
  t.throws(check({ 'metrics.port': '9100', 'metrics.host': '0.0.0.0' }), { code: 'invalid_config' })
  t.throws(check({ 'metrics.port': '9100', 'metrics.host': '127.example.org' }), { code: 'invalid_config' })
  t.doesNotThrow(check({ 'metrics.port': '9100', 'metrics.host': '0.0.0.0', 'metrics.token': TOKEN }))
  t.doesNotThrow(check({ 'metrics.port': '9100', 'metrics.host': '127.0.0.2' }))
  t.doesNotThrow(check({ 'metrics.port': '0', 'metrics.host': '0.0.0.0' }))
  t.end()
})
