export { createRelayLink, type RelayLink, type RelayLinkServices } from './relay-link.ts'
export type { RelayReport } from './report.ts'
