import { defineErrors } from '../platform/errors/index.ts'

export const networkErrors = defineErrors({
  gateway_not_found: {
    kind: 'unavailable',
    title: 'No gateway',
    doc: 'Port forwarding needs a router, and this machine has no default route over IPv4 (or it is not Linux). `network.gateway` sets the address of the router.',
  },
  gateway_silent: {
    kind: 'unavailable',
    title: 'Gateway does not answer',
    doc: 'The router answers neither NAT-PMP nor UPnP, or not in time: both are switched off or not supported, or the machine is in a container with its own network.',
  },
  gateway_refused: {
    kind: 'unavailable',
    title: 'Gateway refuses to forward ports',
    doc: 'The router answers, but does not permit port forwarding, has no connection to the Internet, or has no space for another port.',
  },
  gateway_reply_invalid: {
    kind: 'unavailable',
    title: 'Reply of the gateway is not valid',
    doc: 'A reply of the router is malformed or too large, redirects, or names an address of another host.',
  },
  external_port_taken: {
    kind: 'conflict',
    title: 'External port is taken',
    doc: 'The router forwards this port to another program or machine, or to this one by a mapping that Phlix did not make. Another port can be chosen with `network:forward-port --external` or `network.external_port`.',
  },
  mapping_not_removed: {
    kind: 'unavailable',
    title: 'Former port forwarding may still be open',
    doc: 'A port that was opened before could not be closed: the machine has left that network, or the router did not confirm. The router closes a port with a lease when the lease ends. A port without a lease prevents further forwarding until `network:forward-port --remove` closes it in that network, or the file `port-mapping.json` is deleted because the router is no longer used.',
  },
  internal_port_unknown: {
    kind: 'misconfigured',
    title: 'Port of the server is not known',
    doc: '`server.port` is 0, which selects a free port, and the server is not running. A port can be forwarded while it runs, or with another `server.port`.',
  },
})
