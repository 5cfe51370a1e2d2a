export { createRelayLink, type RelayLink, type RelayLinkServices } from './relay-link.ts'
export type { RelayReport, RelayState } from './report.ts'
