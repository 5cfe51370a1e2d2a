import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { backupFolder, newestArchive, readVerification } from '../../../core/backups/index.ts'
import { cacheResult } from '../../../core/platform/cache/index.ts'
import { OUTBOUND_PURPOSES, readCertificate, type SentRequest } from '../../../core/platform/outbound/index.ts'
import { listPlugins, type Plugin } from '../../../core/plugins/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { SEGMENT_ENCODERS, type EncoderStart, type SegmentResult } from '../../../core/streaming/index.ts'

type Services = Pick<SigningServices, 'config' | 'db' | 'clock' | 'events' | 'segments' | 'plugins' | 'outbound'>

/** How often the folder of backups, the rows of plugins and the certificate are read at most. */
const BACKUPS_MILLISECONDS = 60_000
const PLUGINS_MILLISECONDS = 15_000
const CERTIFICATE_MILLISECONDS = 600_000

/** Each plugin is a label value. */
const MAX_PLUGINS = 32

const SEGMENT_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SCAN_SECONDS = [1, 5, 30, 120, 600, 1800, 7200]

/** The metrics of work: segments, encoders, scans, requests to other servers, backups, plugins and the certificate. */
export function createOperationMetrics(services: Services, registry: Registry): { close(): void } {
  addBackups(services, registry)
  addPlugins(services, registry)
  addCertificate(services, registry)
  const stops = [countScans, countSegments, countEncoders, countOutbound].map((count) => count(services, registry))
  return {
    close() {
      for (const stop of stops) stop()
    },
  }
}

function countEncoders({ segments }: Services, registry: Registry): () => void {
  const starts = new Counter({
    name: 'phlix_transcode_starts_total',
    help: 'Started encoders, by what came first: a segment, a failure, or the end of the request.',
    labelNames: ['encoder', 'result'],
    registers: [registry],
  })
  for (const encoder of SEGMENT_ENCODERS) starts.inc({ encoder, result: 'made' }, 0)
  const count = (start: EncoderStart): void => starts.inc(start)
  segments.startListeners.add(count)
  return () => void segments.startListeners.delete(count)
}

function countOutbound({ outbound }: Services, registry: Registry): () => void {
  const requests = new Counter({
    name: 'phlix_outbound_requests_total',
    help: 'HTTP requests to other servers, by purpose and by the class of the status, or refused or failed.',
    labelNames: ['purpose', 'result'],
    registers: [registry],
  })
  for (const purpose of OUTBOUND_PURPOSES) requests.inc({ purpose, result: '2xx' }, 0)
  const count = (sent: SentRequest): void => requests.inc(sent)
  outbound.listeners.add(count)
  return () => void outbound.listeners.delete(count)
}

function countSegments({ segments }: Services, registry: Registry): () => void {
  const durations = new Histogram({
    name: 'phlix_segment_seconds',
    help: 'Time until a requested segment was encoded or copied, or had failed.',
    labelNames: ['kind', 'result'],
    buckets: SEGMENT_SECONDS,
    registers: [registry],
  })
  const count = ({ kind, isMade, milliseconds }: SegmentResult): void =>
    durations.observe({ kind, result: isMade ? 'made' : 'failed' }, milliseconds / 1000)
  segments.listeners.add(count)
  return () => void segments.listeners.delete(count)
}

function countScans({ events }: Services, registry: Registry): () => void {
  const items = new Counter({
    name: 'phlix_scan_items_total',
    help: 'Items that scans have added, updated and removed.',
    labelNames: ['change'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'phlix_scan_duration_seconds',
    help: 'Duration of scans and rescans.',
    buckets: SCAN_SECONDS,
    registers: [registry],
  })
  for (const change of ['added', 'updated', 'removed']) items.inc({ change }, 0)
  return events.subscribe('plugin.event', ({ name, payload }) => {
    if (name !== 'library.scan.completed') return
    items.inc({ change: 'added' }, Number(payload['itemsAdded']))
    items.inc({ change: 'updated' }, Number(payload['itemsUpdated']))
    items.inc({ change: 'removed' }, Number(payload['itemsRemoved']))
    durations.observe(Number(payload['durationMs']) / 1000)
  })
}

/** Absent without a backup, and while the folder cannot be read. */
function addBackups({ config, clock }: Services, registry: Registry): void {
  const read = cacheResult(clock, BACKUPS_MILLISECONDS, async () => newestArchive(backupFolder(config), clock))
  const readNewest = () => read().catch(() => undefined)
  addOptionalGauge(registry, {
    name: 'phlix_backup_last_success_timestamp_seconds',
    help: 'Time of the newest complete backup in the folder of the server.',
    read: async () => secondsOf((await readNewest())?.time),
  })
  addOptionalGauge(registry, {
    name: 'phlix_backup_bytes',
    help: 'Size of that backup.',
    read: async () => (await readNewest())?.bytes,
  })
  const readRecord = cacheResult(clock, BACKUPS_MILLISECONDS, async () => readVerification(config))
  const readLatest = () => readRecord().catch(() => undefined)
  addOptionalGauge(registry, {
    name: 'phlix_backup_verified',
    help: 'Whether the last verified backup in the folder of the server was undamaged.',
    read: async () => {
      const latest = await readLatest()
      return latest === undefined ? undefined : Number(latest.result !== 'damaged')
    },
  })
  addOptionalGauge(registry, {
    name: 'phlix_backup_verified_timestamp_seconds',
    help: 'Time of that verification.',
    read: async () => secondsOf((await readLatest())?.verifiedAt),
  })
}

/** Absent unless `server.public_url` is https and answers. */
function addCertificate({ config, clock }: Services, registry: Registry): void {
  const address = config.options['server.public_url']
  if (address === undefined || !address.startsWith('https:')) return
  const { hostname: host, port } = new URL(address)
  const readExpiry = cacheResult(clock, CERTIFICATE_MILLISECONDS, async () => {
    const found = await readCertificate({ host, port: port === '' ? 443 : Number(port) }).catch(() => undefined)
    return found?.expiresAt
  })
  addOptionalGauge(registry, {
    name: 'phlix_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of server.public_url expires.',
    read: async () => secondsOf(await readExpiry()),
  })
}

/** Rows of the plugins that are enabled, or that the server has disabled. Absent while the database does not answer. */
function addPlugins({ clock, db, plugins: host }: Services, registry: Registry): void {
  const read = cacheResult(clock, PLUGINS_MILLISECONDS, async () => {
    const wanted = (await listPlugins({ db })).filter((plugin) => plugin.isEnabled || plugin.disabledReason !== null)
    return wanted.slice(0, MAX_PLUGINS)
  })
  const readPlugins = (): Promise<readonly Plugin[]> => read().catch(() => [])
  const addRows = (name: string, help: string, valueOf: (plugin: string) => number): void => {
    const gauge = new Gauge({
      name: `phlix_${name}`,
      help,
      labelNames: ['plugin'],
      registers: [],
      async collect() {
        this.reset()
        for (const { name: plugin } of await readPlugins()) this.set({ plugin }, valueOf(plugin))
      },
    })
    registry.registerMetric(gauge)
  }
  addRows('plugin_up', 'Whether an enabled plugin runs; 0 for one that the server has disabled.', (plugin) =>
    host.find(plugin)?.isRunning() === true ? 1 : 0,
  )
  addRows(
    'plugin_restarts',
    'Starts after failures since the plugin was enabled, or the server was started.',
    (plugin) => host.find(plugin)?.restarts() ?? 0,
  )
  addRows('plugin_memory_bytes', 'Resident memory of a plugin.', (plugin) => host.find(plugin)?.memoryBytes() ?? 0)
}

type OptionalGauge = { name: string; help: string; read: () => Promise<number | undefined> }

/** A gauge without labels that is absent while there is no value. */
function addOptionalGauge(registry: Registry, { name, help, read }: OptionalGauge): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await read()
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
  registry.registerMetric(gauge)
}

function secondsOf(time: Date | undefined): number | undefined {
  return time === undefined ? undefined : time.getTime() / 1000
}
