import { Gauge, Histogram, type GaugeConfiguration, type Registry } from 'prom-client'
import { cacheResult } from '../../../core/platform/cache/index.ts'
import { describeError } from '../../../core/platform/errors/index.ts'
import { freeSpaceBytes } from '../../../core/platform/files/index.ts'
import { readServerCounts, type ServerCounts } from '../../../core/server-status/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { Traffic } from '../traffic.ts'

type Services = Pick<SigningServices, 'config' | 'db' | 'clock' | 'log' | 'segments' | 'trickplay'>

/** Interval of the database query; it does not depend on the number of scrapes. */
const COUNTS_MILLISECONDS = 15_000

/** Listing a cache reads a folder for each job. */
const CACHES_MILLISECONDS = 60_000

/** A database that does not answer must not delay a scrape beyond the usual limit of 10 s. */
const QUERY_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 5]

/** The metrics that are read at each scrape: connections, encoders, database, catalogue, jobs and disks. */
export function createServerGauges(
  services: Services,
  { registry, traffic }: { registry: Registry; traffic: Traffic },
): void {
  addProcessGauges(services, traffic, registry)
  addDiskGauges(services, registry)
  addDatabaseGauges(services, registry)
}

/** A count and the values of its labels. */
type LabelledCount = { count: number } & Partial<Record<'type' | 'kind' | 'state', string>>

function addGauge(registry: Registry, configuration: GaugeConfiguration<string>): void {
  registry.registerMetric(new Gauge({ ...configuration, registers: [] }))
}

function addProcessGauges({ segments }: Services, traffic: Traffic, registry: Registry): void {
  addGauge(registry, {
    name: 'phlix_connections',
    help: 'Open connections.',
    labelNames: ['kind'],
    collect() {
      const open = traffic.sockets
      for (const kind of ['http', 'websocket'] as const) this.set({ kind }, open.count(kind))
    },
  })
  addGauge(registry, {
    name: 'phlix_transcodes_active',
    help: 'Encoders of streams that run or are suspended, and segments that players wait for.',
    labelNames: ['state'],
    collect() {
      const { encoders, suspended, wanted } = segments.counts
      this.set({ state: 'running' }, encoders - suspended)
      this.set({ state: 'suspended' }, suspended)
      this.set({ state: 'wanted' }, wanted)
    },
  })
}

function addDiskGauges({ config, clock, segments, trickplay }: Services, registry: Registry): void {
  addGauge(registry, {
    name: 'phlix_disk_free_bytes',
    help: 'Free space of the disk with the data directory.',
    async collect() {
      const free = await freeSpaceBytes(config.dataDirectory).catch(() => undefined)
      if (free === undefined) this.remove()
      else this.set(free)
    },
  })
  addGauge(registry, {
    name: 'phlix_disk_min_free_bytes',
    help: 'The option hls.min_disk_space_bytes.',
    collect() {
      this.set(config.options['hls.min_disk_space_bytes'])
    },
  })
  const readCaches = cacheResult(clock, CACHES_MILLISECONDS, async () => ({
    segments: (await segments.cache.stats()).bytes,
    trickplay: (await trickplay.stats()).bytes,
  }))
  addGauge(registry, {
    name: 'phlix_cache_bytes',
    help: 'Size of the caches of stream segments and of pictures of time lines.',
    labelNames: ['place'],
    async collect() {
      this.reset()
      const sizes = await readCaches().catch(() => ({}))
      for (const [place, bytes] of Object.entries(sizes)) this.set({ place }, bytes)
    },
  })
}

/** Adds the gauges that need the database. If the database is not available, `phlix_db_up` is 0 and the counts are absent. */
function addDatabaseGauges(services: Services, registry: Registry): void {
  const { clock, db, log } = services
  const duration = new Histogram({
    name: 'phlix_db_query_seconds',
    help: 'Duration of the statement that reads the counts of these metrics.',
    buckets: QUERY_SECONDS,
    registers: [registry],
  })
  const readCounts = cacheResult(clock, COUNTS_MILLISECONDS, async (): Promise<ServerCounts | undefined> => {
    const from = clock.monotonicMilliseconds()
    try {
      const counts = await readServerCounts({ db, clock })
      duration.observe((clock.monotonicMilliseconds() - from) / 1000)
      return counts
    } catch (error) {
      log.debug({ reason: describeError(error) }, 'the counts of the metrics could not be read')
      return undefined
    }
  })
  addGauge(registry, {
    name: 'phlix_db_up',
    help: 'Whether the database answers.',
    async collect() {
      this.set((await readCounts()) === undefined ? 0 : 1)
    },
  })
  addGauge(registry, {
    name: 'phlix_db_pool_waiting',
    help: 'Callers that wait for a connection to the database.',
    collect() {
      this.set(db.state().waitingClients)
    },
  })
  addCounts({ name: 'library_items', help: 'Items of the catalogue.', labels: ['type'] }, (counts) => counts.items)
  addCounts({ name: 'jobs', help: 'Stored jobs of libraries.', labels: ['kind', 'state'] }, (counts) => counts.jobs)
  addCounts(
    { name: 'webhook_deliveries', help: 'Stored deliveries to webhooks and notification channels.', labels: ['state'] },
    (counts) => counts.deliveries,
  )
  addCounts({ name: 'streams_active', help: 'Players that report.', labels: [] }, ({ players }) => [{ count: players }])
  addCounts({ name: 'db_bytes', help: 'Size of the database.', labels: [] }, ({ databaseBytes }) => [
    { count: databaseBytes },
  ])

  function addCounts(
    { name, help, labels }: { name: string; help: string; labels: string[] },
    rowsOf: (counts: ServerCounts) => readonly LabelledCount[],
  ): void {
    addGauge(registry, {
      name: `phlix_${name}`,
      help,
      labelNames: labels,
      async collect() {
        this.reset()
        const counts = await readCounts()
        // A gauge without labels is 0 after a reset.
        if (counts === undefined && labels.length === 0) this.remove()
        if (counts === undefined) return
        for (const { count, ...values } of rowsOf(counts)) this.set(values, count)
      },
    })
  }
}
