export { createRelayLink, type RelayLink, type RelayLinkServices } from './relay-link.ts'
export { examineTunnel, type TunnelAddress } from './examine-tunnel.ts'
export type { RelayReport, RelayState } from './relay-state.ts'
