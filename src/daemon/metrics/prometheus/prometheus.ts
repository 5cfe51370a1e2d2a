import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { RATE_LIMIT_SURFACES, releaseVersion } from '../../../core/platform/config/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { CompletedRequest, Traffic } from '../traffic.ts'
import { createOperationMetrics } from './operation-metrics.ts'
import { createServerGauges } from './server-gauges.ts'

/** The metrics of this process. */
export type Prometheus = {
  /** The text of a scrape. Never fails because of the database. */
  render(): Promise<string>
  readonly contentType: string
  /** Stops counting. */
  close(): void
}

type Services = Pick<
  SigningServices,
  'config' | 'db' | 'clock' | 'log' | 'events' | 'segments' | 'trickplay' | 'plugins' | 'outbound'
>

const DURATION_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 1, 2.5, 10]

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Routes whose refusal of a caller counts as a failed authentication, with the label of their surface. */
const SIGN_IN_ROUTES: Readonly<Record<string, string>> = {
  '/api/v1/auth/login': 'password',
  '/api/v1/auth/refresh': 'refresh',
  '/api/v1/auth/webauthn/login/verify': 'passkey',
}

/**
 * Creates the registry of this process. The number of label values does not depend on requests: methods and surfaces are fixed sets, routes
 * are declared patterns, statuses are folded to their class. No label holds a user, an item, a path or an address.
 */
export function createPrometheus(services: Services, traffic: Traffic): Prometheus {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const responses = new Histogram({
    name: 'phlix_http_request_duration_seconds',
    help: 'Time until the response began, by route pattern and class of the status.',
    labelNames: ['method', 'route', 'class'],
    buckets: DURATION_SECONDS,
    registers: [registry],
  })
  const limited = new Counter({
    name: 'phlix_rate_limited_total',
    help: 'Responses with status 429.',
    labelNames: ['surface'],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'phlix_auth_failures_total',
    help: 'Refused sign-ins and refreshes.',
    labelNames: ['surface'],
    registers: [registry],
  })
  for (const surface of [...Object.keys(RATE_LIMIT_SURFACES), 'other']) limited.inc({ surface }, 0)
  for (const surface of Object.values(SIGN_IN_ROUTES)) refused.inc({ surface }, 0)
  const build = new Gauge({
    name: 'phlix_build_info',
    help: 'Always 1; the label is the version of this release.',
    labelNames: ['version'],
    registers: [registry],
  })
  build.set({ version: releaseVersion() }, 1)
  createServerGauges(services, { registry, traffic })
  const operations = createOperationMetrics(services, registry)

  const jobs = new Counter({
    name: 'phlix_jobs_ended_total',
    help: 'Jobs of libraries that have ended in this process.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  for (const outcome of ['completed', 'failed', 'cancelled']) jobs.inc({ kind: 'scan', outcome }, 0)
  const stopCountingJobs = services.events.subscribe('library.updated', ({ jobType, outcome }) =>
    jobs.inc({ kind: jobType, outcome }),
  )

  const countResponse = ({ method, route, status, milliseconds, surface }: CompletedRequest): void => {
    const known = METHODS.has(method) ? method : 'other'
    responses.observe({ method: known, route, class: `${Math.floor(status / 100)}xx` }, milliseconds / 1000)
    if (status === 429) limited.inc({ surface: surface ?? 'other' })
    const signIn = SIGN_IN_ROUTES[route]
    if (status === 401 && signIn !== undefined) refused.inc({ surface: signIn })
  }
  traffic.listeners.add(countResponse)

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    close() {
      traffic.listeners.delete(countResponse)
      stopCountingJobs()
      operations.close()
    },
  }
}
