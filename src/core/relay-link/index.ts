export { createRelayLink, type RelayLink, type RelayLinkServices } from './relay-link.ts'
export { checkTunnelAddress, type TunnelAddress } from './check-tunnel-address.ts'
export type { RelayReport, RelayState } from './relay-state.ts'
