import {
  checkViewerFields,
  findAllowedRequest,
  parseRelayPath,
  formatRelayPath,
  type AllowedRequest,
  type HeaderFields,
  type ReceivedField,
} from '../../relay-protocol/index.ts'
import { relayErrors } from '../errors.ts'

/** What a viewer sends, apart from the body. */
export type ViewerRequest = {
  /** The user of the hub, whose token was checked. */
  userId: string
  serverId: string
  method: string
  /** Path and query for the home server, as received. */
  target: string
  fields: readonly ReceivedField[]
  /** IP address of the viewer, for the rate limits of the home server. */
  address: string
}

/** A request that has passed all checks. */
export type RelayedRequest = {
  method: string
  /** Path and query as they were checked. */
  target: string
  fields: HeaderFields
  /** Undefined: it has none. */
  body: Buffer | undefined
}

/** A request in the form that was checked; the token and the body are still missing. */
export type CheckedViewerRequest = { allowed: AllowedRequest; request: Omit<RelayedRequest, 'body'> }

/** @throws AppError `proxy.scope_denied`, then `proxy.malformed_headers` */
export function checkViewerRequest(viewer: Omit<ViewerRequest, 'userId' | 'serverId'>): CheckedViewerRequest {
  const path = parseRelayPath(viewer.target)
  const allowed = path === undefined ? undefined : findAllowedRequest(viewer.method, path)
  if (path === undefined || allowed === undefined) throw relayErrors.scope_denied()
  const fields = checkViewerFields(viewer.fields)
  if (fields === undefined) throw relayErrors.malformed_headers()
  const request = {
    method: viewer.method,
    target: formatRelayPath(path),
    fields: { ...fields, 'x-forwarded-for': viewer.address },
  }
  return { allowed, request }
}
