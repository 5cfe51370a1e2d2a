import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { ServerStatus } from '../../../core/server-status/index.ts'
import { pluralize } from '../../../core/platform/errors/index.ts'

const MEBIBYTE = 1024 * 1024

/** The state of a server in a few lines. */
export function describeStatus({ version, at, server, database, counts, freeBytes, floorBytes }: ServerStatus): string {
  const active = counts.jobs.filter(({ state }) => state === 'queued' || state === 'running')
  const rows: [string, string][] = [
    ['version', version],
    [
      'server',
      server === null
        ? 'does not run'
        : `process ${server.pid} at ${server.address}, since ${toIsoTimestamp(server.startedAt)}`,
    ],
    ['database', `${database}, ${mebibytes(counts.databaseBytes)}`],
    ['jobs', listed(active.map(({ kind, state, count }) => `${count} ${kind} ${state}`))],
    [
      'failed',
      listed(counts.jobs.filter(({ state }) => state === 'failed').map(({ kind, count }) => `${count} ${kind}`)),
    ],
    ['deliveries', listed(counts.deliveries.map(({ state, count }) => `${count} ${state}`))],
    [
      'sessions',
      `${pluralize(counts.players, 'player')}, ${pluralize(counts.signIns, 'sign-in')} of ${pluralize(counts.users, 'user')}`,
    ],
    ['items', listed(counts.items.map(({ type, count }) => `${count} ${type}`))],
    ['disk', `${mebibytes(freeBytes)} free, ${mebibytes(floorBytes)} are kept free`],
    ['time', toIsoTimestamp(at)],
  ]
  return rows.map(([name, text]) => `${name.padEnd(11)}${text}`).join('\n')
}

function listed(parts: readonly string[]): string {
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / MEBIBYTE)} MiB`
}
