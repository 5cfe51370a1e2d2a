import t from 'tap'
import { parseXml } from '../../../../src/core/platform/xml/index.ts'
import { listWanServices } from '../../../../src/core/network/upnp/description.ts'
import { checkGatewayUrl } from '../../../../src/core/network/upnp/check-gateway-url.ts'
import { parseLocationHeader } from '../../../../src/core/network/upnp/search-gateway.ts'

const gateway = { address: '192.168.1.1', localAddress: '192.168.1.20' }
const location = new URL('http://192.168.1.1:5000/rootDesc.xml')
const ST = 'ST: urn:schemas-upnp-org:device:InternetGatewayDevice:1'
const reply = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)

void t.test('the location of a reply to a search is read, in any case of its header', (t) => {
  t.equal(parseLocationHeader(reply('HTTP/1.1 200 OK', ST, 'LOCATION: http://192.168.1.1/a')), 'http://192.168.1.1/a')
  t.equal(parseLocationHeader(reply('HTTP/1.0 200 OK', 'Location:http://192.168.1.1/a', ST)), 'http://192.168.1.1/a')
  t.end()
})

void t.test('other datagrams have no location', (t) => {
  const datagrams = [
    reply(''),
    reply('NOTIFY * HTTP/1.1', ST, 'LOCATION: http://192.168.1.1/a'),
    reply('HTTP/1.1 404 Not Found', ST, 'LOCATION: http://192.168.1.1/a'),
    reply('HTTP/1.1 200 OK', 'ST: urn:schemas-upnp-org:device:MediaRenderer:1', 'LOCATION: http://192.168.1.1/a'),
    reply('HTTP/1.1 200 OK', ST),
    reply('HTTP/1.1 200 OK', ST, `LOCATION: http://192.168.1.1/${'a'.repeat(5000)}`),
    Buffer.alloc(60_000, ':'),
  ]
  for (const bytes of datagrams) t.equal(parseLocationHeader(bytes), undefined, bytes.subarray(0, 60).toString())
  t.end()
})

void t.test('only http addresses of the gateway itself are allowed', (t) => {
  t.equal(checkGatewayUrl(' http://192.168.1.1:80/ctl ', gateway).href, 'http://192.168.1.1/ctl')
  t.equal(checkGatewayUrl('ctl', gateway, location).href, 'http://192.168.1.1:5000/ctl')
  const refused = [
    'http://192.168.1.2/ctl',
    'http://127.0.0.1/ctl',
    'http://169.254.169.254/latest',
    'http://router.lan/ctl',
    'http://192.168.1.1.example.org/ctl',
    'http://192.168.1.1@192.168.1.2/ctl',
    'http://user:secret@192.168.1.1/ctl',
    'https://192.168.1.1/ctl',
    'file:///etc/passwd',
    '//192.168.1.2/ctl',
    String.raw`\\192.168.1.2\ctl`,
    'http://[::1]/ctl',
    '',
    'http://',
  ]
  for (const text of refused) {
    const base = text.startsWith('//') || text.startsWith('\\') ? location : undefined
    t.throws(() => checkGatewayUrl(text, gateway, base), { code: 'gateway_reply_invalid' }, text)
  }
  t.equal(
    checkGatewayUrl('http://3232235777/ctl', gateway).hostname,
    '192.168.1.1',
    'other notations of the same address',
  )
  t.end()
})

const described = (inner: string): ReturnType<typeof listWanServices> => {
  const xml = parseXml(`<root>${inner}</root>`)
  const root = xml.kind === 'read' ? xml.roots[0] : undefined
  if (root === undefined) throw new Error('no XML')
  return listWanServices(root, { gateway, location })
}
const service = (type: string, control: string): string =>
  `<device><serviceList><service><serviceType>urn:schemas-upnp-org:service:${type}</serviceType><controlURL>${control}</controlURL></service></serviceList></device>`

void t.test('the services that forward ports are found at any depth, the best one first', (t) => {
  const found = described(
    `<device><deviceList>${service('WANPPPConnection:1', '/ppp')}${service('Layer3Forwarding:1', '/l3')}${service('WANIPConnection:2', '/ip2')}${service('WANIPConnection:1', '')}</deviceList></device>`,
  )
  t.strictSame(
    found.map(({ type, controlUrl }) => [type.split(':').slice(-2).join(':'), controlUrl.pathname]),
    [
      ['WANIPConnection:2', '/ip2'],
      ['WANPPPConnection:1', '/ppp'],
    ],
  )
  t.end()
})

void t.test('addresses are relative to URLBase, which must be the gateway', (t) => {
  const [found] = described(`<URLBase>http://192.168.1.1:1780/</URLBase>${service('WANIPConnection:1', 'control')}`)
  t.equal(found?.controlUrl.href, 'http://192.168.1.1:1780/control')
  const foreign = `<URLBase>http://192.168.1.9/</URLBase>${service('WANIPConnection:1', '/control')}`
  t.throws(() => described(foreign), { code: 'gateway_reply_invalid' })
  t.throws(() => described(service('WANIPConnection:1', 'http://192.168.1.9/control')), {
    code: 'gateway_reply_invalid',
  })
  t.end()
})
