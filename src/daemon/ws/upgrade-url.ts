import type { RawRequestDefaultExpression } from 'fastify'
import { parseQueryString } from '../http/query-string.ts'

/** A request before the upgrade to a WebSocket. */
export type UpgradeRequest = RawRequestDefaultExpression

/** The parsed target of a handshake. */
export type UpgradeTarget = {
  /** The SyncPlay room in the path, at most 200 characters; null if there is none. */
  room: string | null
  /** `token` of the query; undefined unless it occurs exactly once. */
  token: string | undefined
}

const MAX_ROOM_LENGTH = 200

/** The WebSocket paths. A room has at most 200 characters, each of at most 12 when it is escaped. */
const PATH = /^\/(?:syncplay\/?|api\/v1\/syncplay\/([^/]{1,2400}))?$/

/** Parses the URL of a handshake; undefined for unknown paths. */
export function parseUpgradeTarget({ url = '' }: Pick<UpgradeRequest, 'url'>): UpgradeTarget | undefined {
  const queryAt = url.indexOf('?')
  const [path, query] = queryAt === -1 ? [url, ''] : [url.slice(0, queryAt), url.slice(queryAt + 1)]
  const match = PATH.exec(path)
  if (match === null) return undefined
  const { token, room: named } = parseQueryString(query)
  const room = match[1] === undefined ? (textOf(named) ?? null) : decode(match[1])
  if (room === undefined || (room !== null && room.length > MAX_ROOM_LENGTH)) return undefined
  return { room, token: textOf(token) }
}

/**
 * Whether a request on the HTTP port is a WebSocket handshake; upgrades to other protocols are treated as ordinary requests (RFC 9110,
 * 7.8).
 */
export function isSyncPlayHandshake({ url = '', headers }: Pick<UpgradeRequest, 'url' | 'headers'>): boolean {
  return isWebSocket(headers.upgrade) && url.startsWith('/api/v1/syncplay/')
}

/** Whether an `Upgrade` header requests a WebSocket. */
export function isWebSocket(upgrade: string | undefined): boolean {
  return upgrade?.toLowerCase() === 'websocket'
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
