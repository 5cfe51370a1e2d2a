import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A router: NAT-PMP on port 5351 (RFC 6886), SSDP on port 1900, and an Internet Gateway Device of UPnP with description and control. It
 * behaves like miniupnpd, errors included. On the loopback interface each fake has an address of its own, as 127.7.1.1.
 */

/** `silent`: requests are received and not answered. A number: the result code of each reply. */
export type NatPmpBehaviour = 'well' | 'silent' | 'garbage' | number

/**
 * `silent`: searches are not answered. `mute`: HTTP is not answered. `foreign`, `foreign-control`: an address of another host. `fault`: the
 * control answers with an error code.
 */
export type UpnpBehaviour =
  | 'well'
  | 'silent'
  | 'mute'
  | 'garbage'
  | 'huge'
  | 'redirecting'
  | 'entities'
  | 'empty'
  | 'foreign'
  | 'foreign-control'
  | { fault: number }

export type FakeMapping = {
  externalPort: number
  internalPort: number
  client: string
  description: string
  /** Milliseconds since 1970; null: no end. */
  expiresAt: number | null
}

export type FakeGateway = {
  address: string
  natPmp: NatPmpBehaviour
  upnp: UpnpBehaviour
  externalAddress: string
  /** Only searches by multicast are answered. */
  isMulticastOnly: boolean
  /** Error 725 for a mapping with an end. */
  isPermanentOnly: boolean
  /** The error of `GetSpecificPortMappingEntry`, instead of its result. */
  entryFault: number | undefined
  /** Entries are shown without their description. */
  hidesDescriptions: boolean
  /** Added to its count of seconds. */
  epochOffsetSeconds: number
  /** The longest lease of NAT-PMP. */
  maximumLeaseSeconds: number
  /** The mappings whose lease has not ended, by external port. */
  mappings(): FakeMapping[]
  /** Adds a mapping, of another machine unless `mapping` says otherwise. */
  occupy(externalPort: number, mapping?: Partial<FakeMapping>): void
  /** Called with each request, before it is answered. */
  onCall: ((call: string) => void) | undefined
  /** Called with the sender of a search that is not answered. */
  onSearch: ((port: number, address: string) => void) | undefined
  /** Requests so far: `external`, `map`, `unmap` of NAT-PMP; `search`; the actions of UPnP; `GET` of a path. */
  calls: string[]
  /** Loses all mappings, and counts its seconds from 0. */
  restart(): void
  close(): Promise<void>
}

const OTHER_CLIENT = '192.0.2.77'
const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:1'
const HUGE_BYTES = 4 * 1024 * 1024

/**
 * Starts a router at an address of this machine.
 * @param options.hasMulticast it also receives searches by multicast; not on the loopback interface
 */
export async function startFakeGateway(
  address: string,
  { hasMulticast = false }: { hasMulticast?: boolean } = {},
): Promise<FakeGateway> {
  let startedAt = Date.now()
  const stored = new Map<number, FakeMapping>()
  const live = (): FakeMapping[] => {
    for (const [port, { expiresAt }] of stored) if (expiresAt !== null && expiresAt <= Date.now()) stored.delete(port)
    return [...stored.values()]
  }
  const fake: FakeGateway = {
    address,
    natPmp: 'well',
    upnp: 'well',
    externalAddress: '81.2.69.160',
    isMulticastOnly: false,
    isPermanentOnly: false,
    entryFault: undefined,
    hidesDescriptions: false,
    epochOffsetSeconds: 0,
    maximumLeaseSeconds: 86_400,
    mappings: live,
    occupy: (externalPort, mapping = {}) =>
      void stored.set(externalPort, {
        externalPort,
        internalPort: 80,
        client: OTHER_CLIENT,
        description: 'web',
        expiresAt: null,
        ...mapping,
      }),
    calls: [],
    onCall: undefined,
    onSearch: undefined,
    restart() {
      startedAt = Date.now()
      fake.epochOffsetSeconds = 0
      stored.clear()
    },
    async close() {
      http.closeAllConnections()
      await Promise.all([closeServer(http), closeSocket(pmp), closeSocket(ssdp)])
    },
  }

  function count(call: string): void {
    fake.calls.push(call)
    fake.onCall?.(call)
  }

  function answerNatPmp(request: Buffer, client: string): Buffer | undefined {
    if (fake.natPmp === 'silent') return undefined
    if (fake.natPmp === 'garbage') return Buffer.from('this is not NAT-PMP, but a line of text')
    const opcode = request[1] ?? 0
    const reply = Buffer.alloc(opcode === 0 ? 12 : 16)
    reply.writeUInt8(128 + opcode, 1)
    reply.writeUInt32BE(Math.floor((Date.now() - startedAt) / 1000) + fake.epochOffsetSeconds, 4)
    if (typeof fake.natPmp === 'number') {
      reply.writeUInt16BE(fake.natPmp, 2)
      return reply.subarray(0, 8)
    }
    if (opcode === 0) {
      count('external')
      reply.set(fake.externalAddress.split('.').map(Number), 8)
      return reply
    }
    const [internalPort, wanted, leaseSeconds] = [
      request.readUInt16BE(4),
      request.readUInt16BE(6),
      request.readUInt32BE(8),
    ]
    const own = live().find((mapping) => mapping.client === client && mapping.internalPort === internalPort)
    count(leaseSeconds === 0 ? 'unmap' : 'map')
    reply.writeUInt16BE(internalPort, 8)
    if (leaseSeconds === 0) {
      if (own !== undefined) stored.delete(own.externalPort)
      return reply
    }
    // An existing mapping keeps its port (RFC 6886, 3.3).
    let externalPort = own?.externalPort ?? wanted
    while (own === undefined && stored.has(externalPort)) externalPort += 1
    const granted = Math.min(leaseSeconds, fake.maximumLeaseSeconds)
    stored.set(externalPort, {
      externalPort,
      internalPort,
      client,
      description: `NAT-PMP ${internalPort} tcp`,
      expiresAt: Date.now() + granted * 1000,
    })
    reply.writeUInt16BE(externalPort, 10)
    reply.writeUInt32BE(granted, 12)
    return reply
  }

  function description(): string {
    const { port } = http.address() as AddressInfo
    const control = fake.upnp === 'foreign-control' ? `http://192.0.2.1:${port}/ctl` : '/ctl/IPConn'
    const service = `<service><serviceType>${SERVICE}</serviceType><serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><SCPDURL>/WANIPCn.xml</SCPDURL><controlURL>${control}</controlURL><eventSubURL>/evt/IPConn</eventSubURL></service>`
    const entities =
      fake.upnp === 'entities' ? '<!DOCTYPE root [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' : ''
    const services = fake.upnp === 'empty' ? '' : `<serviceList>${service}</serviceList>`
    return `<?xml version="1.0"?>${entities}<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion><device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><friendlyName>Router &amp; co</friendlyName><deviceList><device><deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><deviceList><device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType>${services}</device></deviceList></device></deviceList></device></root>`
  }

  function envelope(inner: string): string {
    return `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>${inner}</s:Body></s:Envelope>`
  }

  function faultOf(code: number): { status: number; body: string } {
    const inner = `<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>${code}</errorCode><errorDescription>Error</errorDescription></UPnPError></detail></s:Fault>`
    return { status: 500, body: envelope(inner) }
  }

  function resultOf(action: string, values: Record<string, string | number> = {}): { status: number; body: string } {
    const parts = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
    return {
      status: 200,
      body: envelope(`<u:${action}Response xmlns:u="${SERVICE}">${parts.join('')}</u:${action}Response>`),
    }
  }

  function entryOf(action: string, found: FakeMapping | undefined): { status: number; body: string } {
    if (fake.entryFault !== undefined) return faultOf(fake.entryFault)
    if (found === undefined) return faultOf(714)
    return resultOf(action, {
      NewInternalPort: found.internalPort,
      NewInternalClient: found.client,
      NewEnabled: 1,
      NewPortMappingDescription: fake.hidesDescriptions ? '' : found.description,
      NewLeaseDuration: found.expiresAt === null ? 0 : Math.ceil((found.expiresAt - Date.now()) / 1000),
    })
  }

  function control(action: string, text: string): { status: number; body: string } {
    const value = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
    const externalPort = Number(value('NewExternalPort'))
    const found = live().find((mapping) => mapping.externalPort === externalPort)
    if (action === 'GetExternalIPAddress') return resultOf(action, { NewExternalIPAddress: fake.externalAddress })
    if (action === 'GetSpecificPortMappingEntry') return entryOf(action, found)
    if (typeof fake.upnp === 'object') return faultOf(fake.upnp.fault)
    if (action === 'AddPortMapping') {
      const [client, internalPort] = [value('NewInternalClient'), Number(value('NewInternalPort'))]
      const leaseSeconds = Number(value('NewLeaseDuration'))
      if (fake.isPermanentOnly && leaseSeconds > 0) return faultOf(725)
      if (found !== undefined && found.client !== client) return faultOf(718)
      const expiresAt = leaseSeconds === 0 ? null : Date.now() + leaseSeconds * 1000
      stored.set(externalPort, {
        externalPort,
        internalPort,
        client,
        description: value('NewPortMappingDescription'),
        expiresAt,
      })
      return resultOf(action)
    }
    if (action === 'DeletePortMapping') return stored.delete(externalPort) ? resultOf(action) : faultOf(714)
    return faultOf(401)
  }

  async function answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const action = /#(\w+)"?$/.exec(String(request.headers['soapaction'] ?? ''))?.[1]
    count(action ?? `GET ${request.url}`)
    if (fake.upnp === 'mute') return
    if (fake.upnp === 'garbage') return void response.end('<html><body>Login<br></body>')
    if (fake.upnp === 'huge') return void response.end(Buffer.alloc(HUGE_BYTES, '<a>'))
    if (fake.upnp === 'redirecting') return void response.writeHead(302, { location: 'http://192.0.2.1/' }).end()
    if (action === undefined) return void response.writeHead(200, { 'content-type': 'text/xml' }).end(description())
    const { status, body } = control(action, text)
    response.writeHead(status, { 'content-type': 'text/xml; charset="utf-8"' }).end(body)
  }

  const http = createServer((request, response) => void answerHttp(request, response))
  const pmp = createSocket('udp4')
  const ssdp = createSocket({ type: 'udp4', reuseAddr: true })
  pmp.on('message', (request, from) => {
    const reply = answerNatPmp(request, from.address)
    if (reply !== undefined) pmp.send(reply, from.port, from.address)
  })
  ssdp.on('message', (bytes, from) => {
    const text = bytes.toString()
    if (fake.upnp === 'silent') fake.onSearch?.(from.port, from.address)
    if (fake.upnp === 'silent' || !text.startsWith('M-SEARCH')) return
    if (fake.isMulticastOnly && !text.includes('HOST: 239.255.255.250')) return
    fake.calls.push('search')
    const host = fake.upnp === 'foreign' ? '192.0.2.1' : address
    const device = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1'
    const lines = [
      'HTTP/1.1 200 OK',
      'CACHE-CONTROL: max-age=120',
      `ST: ${device}`,
      `USN: uuid:00000000-0000-0000-0000-000000000000::${device}`,
      'EXT:',
      'SERVER: Linux UPnP/1.1 MiniUPnPd/2.3',
      `LOCATION: http://${host}:${(http.address() as AddressInfo).port}/rootDesc.xml`,
    ]
    ssdp.send(`${lines.join('\r\n')}\r\n\r\n`, from.port, from.address)
  })
  http.listen(0, address)
  ssdp.bind(1900, hasMulticast ? '0.0.0.0' : address)
  pmp.bind(5351, address)
  await Promise.all([once(http, 'listening'), once(ssdp, 'listening'), once(pmp, 'listening')])
  if (hasMulticast) ssdp.addMembership('239.255.255.250', address)
  return fake
}

function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()))
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
