import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { Aedes } from 'aedes'
import t from 'tap'
import { publishMqttMessage, type MqttMessage } from '../../../../src/core/platform/outbound/index.ts'
import { selfSigned } from '../../../support/self-signed.ts'

const broker = await Aedes.createBroker()
const heard: string[] = []
broker.on('publish', ({ topic, payload }, client) => {
  if (client !== null) heard.push(`${topic} ${String(payload)}`)
})
const sockets = new Set<Socket>()

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const port = await listen(createServer(broker.handle))
t.teardown(() => new Promise<void>((resolve) => broker.close(() => resolve())))

const message = (more: Partial<MqttMessage> = {}): MqttMessage => ({
  url: `mqtt://127.0.0.1:${port}`,
  trust: 'configured',
  topic: 'a/b',
  payload: 'ä 🎬',
  isRetained: false,
  timeoutMilliseconds: 60_000,
  ...more,
})

void t.test('a message is published once and acknowledged', async (t) => {
  await publishMqttMessage(message())
  await publishMqttMessage(message({ payload: 'x'.repeat(200_000), topic: 'long' }))
  t.strictSame(heard, ['a/b ä 🎬', `long ${'x'.repeat(200_000)}`])
})

void t.test(
  'addresses of brokers are checked like those of other servers, before and after DNS resolution (SS-01, SS-03)',
  async (t) => {
    const refused = { code: 'outbound_refused' }
    for (const host of ['169.254.169.254', '2852039166', '0xA9FEA9FE', '[fe80::1]', '0.0.0.0', '224.0.0.1']) {
      await t.rejects(publishMqttMessage(message({ url: `mqtt://${host}` })), refused, host)
    }
    for (const host of ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', '10.0.0.1']) {
      await t.rejects(publishMqttMessage(message({ url: `mqtt://${host}:${port}`, trust: 'public' })), refused, host)
    }
    for (const url of [
      'http://a.test',
      'mqtt:',
      'mqtt://',
      'a.test',
      'mqtt://u@a.test',
      'ws://a.test',
      'unix:/run/x',
    ]) {
      await t.rejects(publishMqttMessage(message({ url })), refused, url)
    }
    const asked: string[] = []
    const named = (address: string, url = `mqtt://broker.test:${port}`) =>
      publishMqttMessage(message({ url, trust: 'configured' }), undefined, (host, _options, done) => {
        asked.push(host)
        done(null, [{ address, family: 4 }])
      })
    await t.rejects(named('169.254.169.254'), refused)
    await named('127.0.0.1')
    t.strictSame(asked, ['broker.test', 'broker.test'])
    t.equal(heard.length, 3)
  },
)

void t.test(
  'a broker that is missing, silent, disconnecting, invalid or has an invalid certificate is an error',
  async (t) => {
    const silent = await listen(createServer(() => undefined))
    const closing = await listen(createServer((socket) => void socket.once('data', () => socket.destroy())))
    const foreign = await listen(createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const secure = await listen(createSecureServer(selfSigned, broker.handle))
    const unreachable = { code: 'outbound_unreachable' }
    await t.rejects(publishMqttMessage(message({ url: 'mqtt://127.0.0.1:1' })), unreachable)
    await t.rejects(publishMqttMessage(message({ url: `mqtt://127.0.0.1:${closing}` })), unreachable)
    await t.rejects(publishMqttMessage(message({ url: `mqtt://127.0.0.1:${foreign}` })), unreachable)
    await t.rejects(publishMqttMessage(message({ url: `mqtts://127.0.0.1:${secure}` })), unreachable)
    const slow = message({ url: `mqtt://127.0.0.1:${silent}`, timeoutMilliseconds: 300 })
    await t.rejects(publishMqttMessage(slow), { code: 'outbound_timeout' })
    const stop = new AbortController()
    const stopping = publishMqttMessage(message({ url: `mqtt://127.0.0.1:${silent}` }), stop.signal)
    stop.abort(new Error('enough'))
    await t.rejects(stopping, { message: 'enough' })
    await t.rejects(publishMqttMessage(message(), stop.signal), { message: 'enough' })
  },
)
