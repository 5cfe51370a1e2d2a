import { filterForwardedFields, type HeaderFields, type ReceivedField } from './header-fields.ts'

/** What a viewer may tell the home server. The token is not among it: the hub sends its own. */
const FROM_VIEWER: ReadonlySet<string> = new Set(
  (
    'accept accept-encoding accept-language range if-range if-none-match if-modified-since user-agent content-type ' +
    'x-service-device-type x-phlix-device-type x-device-id x-phlix-device-id'
  ).split(' '),
)

/** The headers that the hub adds. */
const FROM_HUB: ReadonlySet<string> = new Set([...FROM_VIEWER, 'authorization', 'x-forwarded-for'])

/** The headers of a viewer that the hub forwards; undefined if the request must be refused. */
export function checkViewerFields(received: readonly ReceivedField[]): HeaderFields | undefined {
  return filterForwardedFields(received, FROM_VIEWER)
}

/** The headers of the hub that the home server accepts; undefined if the request must be refused. */
export function checkHubFields(received: readonly ReceivedField[]): HeaderFields | undefined {
  return filterForwardedFields(received, FROM_HUB)
}
