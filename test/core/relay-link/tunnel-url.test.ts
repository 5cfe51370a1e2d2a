import t from 'tap'
import { hubTunnelUrl } from '../../../src/core/relay-link/tunnel-url.ts'

void t.test(
  'the tunnel of a hub with TLS is at its port, that of a hub without TLS at 8802, unless an origin is set',
  (t) => {
    const cases = [
      ['https://hub.example', undefined, 'wss://hub.example/relay/id'],
      ['https://hub.example:8443', undefined, 'wss://hub.example:8443/relay/id'],
      ['https://hub.example/base/', undefined, 'wss://hub.example/base/relay/id'],
      ['http://10.0.0.2:8800', undefined, 'ws://10.0.0.2:8802/relay/id'],
      ['http://[::1]:8800', undefined, 'ws://[::1]:8802/relay/id'],
      ['https://hub.example', 'https://tunnels.example', 'wss://tunnels.example/relay/id'],
      ['https://hub.example', 'http://10.0.0.2:9000', 'ws://10.0.0.2:9000/relay/id'],
    ] as const
    for (const [hubBaseUrl, origin, url] of cases) {
      t.equal(hubTunnelUrl({ hubBaseUrl, serverId: 'id', tunnelPort: null, origin }), url)
    }
    t.end()
  },
)

void t.test(
  'the port that a hub names is used, but not behind a proxy with TLS, and not instead of a set origin',
  (t) => {
    const cases = [
      ['http://10.0.0.2:8800', undefined, 'ws://10.0.0.2:9102/relay/id'],
      ['https://hub.example', undefined, 'wss://hub.example/relay/id'],
      ['http://10.0.0.2:8800', 'http://10.0.0.2:9000', 'ws://10.0.0.2:9000/relay/id'],
    ] as const
    for (const [hubBaseUrl, origin, url] of cases) {
      t.equal(hubTunnelUrl({ hubBaseUrl, serverId: 'id', tunnelPort: 9102, origin }), url)
    }
    t.end()
  },
)
