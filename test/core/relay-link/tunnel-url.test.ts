import t from 'tap'
import { tunnelUrlOf } from '../../../src/core/relay-link/tunnel-url.ts'

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
    for (const [hubBaseUrl, origin, url] of cases) t.equal(tunnelUrlOf({ hubBaseUrl, serverId: 'id', origin }), url)
    t.end()
  },
)
