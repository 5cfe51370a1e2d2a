import { findChild, findChildren, type XmlElement } from '../../platform/xml/index.ts'
import { networkErrors } from '../errors.ts'
import type { Gateway } from '../gateway-client.ts'
import { requestXml, type ExchangeContext } from './request-xml.ts'
import { checkGatewayUrl } from './check-gateway-url.ts'

/** A service of the router that forwards ports. */
export type WanService = Readonly<{ type: string; controlUrl: URL }>

/** The services that forward ports, best first. */
const SERVICE_TYPES = ['WANIPConnection:2', 'WANIPConnection:1', 'WANPPPConnection:1'].map(
  (name) => `urn:schemas-upnp-org:service:${name}`,
)

/** Routers with several connections have two or three. */
const MAX_SERVICES = 4

/**
 * Reads the description of the router and the services in it that forward ports, best first.
 * @throws AppError `gateway_silent`, `gateway_reply_invalid`, `gateway_refused` if there is no such service
 */
export async function fetchWanServices(
  context: ExchangeContext,
  location: URL,
  signal?: AbortSignal,
): Promise<readonly WanService[]> {
  const { status, root } = await requestXml(context, { url: location.href }, signal)
  const { gateway } = context
  if (status !== 200 || root.name !== 'root') {
    const message = `The gateway ${gateway.address} answers UPnP, but not with its description (status ${status}).`
    throw networkErrors.gateway_reply_invalid({ message })
  }
  const services = listWanServices(root, { gateway, location })
  if (services.length > 0) return services
  const message = `The gateway ${gateway.address} answers UPnP, but offers no service that forwards ports.`
  throw networkErrors.gateway_refused({ message })
}

/**
 * The services of a description, at any depth. The document was parsed with a limited depth. Names are in lower case.
 * @throws AppError `gateway_reply_invalid` if a service is at another host
 */
export function listWanServices(
  root: XmlElement,
  { gateway, location }: { gateway: Gateway; location: URL },
): WanService[] {
  const base = textOf(root, 'urlbase')
  const baseUrl = base === '' ? location : checkGatewayUrl(base, gateway, location)
  const elements = findElementsByName(root, 'service').filter((service) =>
    SERVICE_TYPES.includes(textOf(service, 'servicetype')),
  )
  const services = elements.flatMap((service) => {
    const control = textOf(service, 'controlurl')
    return control === ''
      ? []
      : [{ type: textOf(service, 'servicetype'), controlUrl: checkGatewayUrl(control, gateway, baseUrl) }]
  })
  return services
    .toSorted((a, b) => SERVICE_TYPES.indexOf(a.type) - SERVICE_TYPES.indexOf(b.type))
    .slice(0, MAX_SERVICES)
}

/** All elements with a name, at any depth. */
export function findElementsByName(root: XmlElement, name: string): XmlElement[] {
  return [...findChildren(root, name), ...root.children.flatMap((child) => findElementsByName(child, name))]
}

/** The trimmed text of a child; empty if there is none. */
function textOf(element: XmlElement, name: string): string {
  return findChild(element, name)?.text.trim() ?? ''
}
