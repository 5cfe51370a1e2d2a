import { AppError } from '../../platform/errors/index.ts'
import {
  outboundErrors,
  type Outbound,
  type OutboundReply,
  type OutboundRequest,
} from '../../platform/outbound/index.ts'
import { parseXml, type XmlElement } from '../../platform/xml/index.ts'
import { networkErrors } from '../errors.ts'
import type { Gateway, GatewayLimits } from '../gateway-client.ts'

/** Descriptions of routers have 2 to 20 KB. */
const MAX_REPLY_BYTES = 128 * 1024

export type ExchangeContext = Readonly<{ outbound: Outbound; gateway: Gateway; limits: GatewayLimits }>

export type XmlReply = { status: number; root: XmlElement }

/**
 * Sends a request to the router, whose address was checked before, and parses the reply. Redirects are not followed.
 * @throws AppError `gateway_silent`, `gateway_reply_invalid`; the signal's reason
 */
export async function requestXml(
  { outbound, gateway, limits }: ExchangeContext,
  request: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>,
  signal?: AbortSignal,
): Promise<XmlReply> {
  const timeoutMilliseconds = limits.exchangeMilliseconds
  let reply: OutboundReply
  try {
    const limited = { ...request, trust: 'configured', timeoutMilliseconds, maximumBytes: MAX_REPLY_BYTES } as const
    reply = await outbound.send({ ...limited, purpose: 'router' }, signal)
  } catch (error) {
    throw toNetworkError(error, gateway)
  }
  const xml = parseXml(Buffer.from(reply.body).toString('utf8'))
  const root = xml.kind === 'read' ? xml.roots[0] : undefined
  if (root !== undefined) return { status: reply.status, root }
  const message = `The gateway ${gateway.address} answers UPnP with a reply that is not XML (status ${reply.status}).`
  throw networkErrors.gateway_reply_invalid({ message })
}

const SILENT: ReadonlySet<string> = new Set([
  outboundErrors.outbound_timeout.definition.code,
  outboundErrors.outbound_unreachable.definition.code,
])

function toNetworkError(error: unknown, { address }: Gateway): unknown {
  if (!(error instanceof AppError)) return error
  if (SILENT.has(error.code)) {
    const message = `The gateway ${address} does not answer UPnP.`
    return networkErrors.gateway_silent({ message, cause: error })
  }
  const message = `The gateway ${address} answers UPnP with a redirect or a text that is too large.`
  return networkErrors.gateway_reply_invalid({ message, cause: error })
}
