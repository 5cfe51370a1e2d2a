import { networkErrors } from '../errors.ts'
import { findElementsByName, type WanService } from './description.ts'
import { requestXml, type ExchangeContext } from './request-xml.ts'

/** Error codes of UPnP: of the architecture up to 699, and of the service WANIPConnection above. */
export const UPNP_FAULTS = {
  notAuthorized: 606,
  noSuchEntry: 714,
  conflict: 718,
  onlyPermanentLeases: 725,
  noPortMapsAvailable: 728,
  conflictWithOtherMechanism: 729,
} as const

/** The values of a successful call by name in lower case, or the error code of the router. */
export type CallOutcome = { kind: 'done'; values: ReadonlyMap<string, string> } | { kind: 'fault'; code: number }

/**
 * Calls an action of a service (SOAP 1.1). Names and values of arguments come from this program and need no escaping.
 * @throws AppError `gateway_silent`, `gateway_reply_invalid`
 */
export async function callUpnpService(
  context: ExchangeContext,
  service: WanService,
  call: { action: string; input?: Readonly<Record<string, string | number>> },
  signal?: AbortSignal,
): Promise<CallOutcome> {
  const { action, input = {} } = call
  const request = {
    url: service.controlUrl.href,
    method: 'POST' as const,
    headers: { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${service.type}#${action}"` },
    body: envelope(service.type, action, input),
  }
  const { status, root } = await requestXml(context, request, signal)
  const [fault] = findElementsByName(root, 'upnperror')
  const code = Number(fault?.children.find(({ name }) => name === 'errorcode')?.text.trim())
  if (Number.isInteger(code)) return { kind: 'fault', code }
  const [response] = findElementsByName(root, `${action.toLowerCase()}response`)
  if (status === 200 && response !== undefined) {
    return { kind: 'done', values: new Map(response.children.map(({ name, text }) => [name, text.trim()])) }
  }
  const message = `The gateway ${context.gateway.address} answers ${action} of UPnP with neither a result nor an error.`
  throw networkErrors.gateway_reply_invalid({ message })
}

function envelope(type: string, action: string, input: Readonly<Record<string, string | number>>): string {
  const values = Object.entries(input).map(([name, value]) => `<${name}>${value}</${name}>`)
  return (
    '<?xml version="1.0"?>\r\n' +
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">' +
    `<s:Body><u:${action} xmlns:u="${type}">${values.join('')}</u:${action}></s:Body></s:Envelope>\r\n`
  )
}
