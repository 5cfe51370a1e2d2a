import t from 'tap'
import { createCallHandler } from '../../../../src/core/plugins/calls/handle-calls.ts'
import { createHttpRequest, isGranted } from '../../../../src/core/plugins/calls/http-request.ts'
import { createStoredValues } from '../../../../src/core/plugins/calls/stored-values.ts'
import type { PluginType } from '../../../../src/core/plugins/manifest/plugin-types.ts'
import { PROCESS_LIMITS } from '../../../../src/core/plugins/process/limits.ts'
import type { Outbound, OutboundRequest } from '../../../../src/core/platform/outbound/index.ts'
import { installSource } from '../../../support/plugins.ts'
import { testServices } from '../../../support/services.ts'

const GRANTED = {
  hosts: ['api.example.org', 'box:8080'],
  isPrivateNetworkAllowed: false,
  areUserDetailsAllowed: false,
  isDurable: false,
}

function fakeOutbound(body: Uint8Array) {
  const sent: OutboundRequest[] = []
  const outbound: Outbound = {
    async send(request) {
      sent.push(request)
      return { status: 200, headers: {}, body }
    },
    listeners: new Set(),
    async close() {},
  }
  return { outbound, sent }
}

void t.test('a plugin asks only granted hosts', async (t) => {
  const { outbound, sent } = fakeOutbound(Buffer.from('ok'))
  const request = createHttpRequest({
    outbound,
    permissions: GRANTED,
    requestsPerMinute: 60,
    timeoutMilliseconds: 7000,
  })
  t.strictSame(await request({ url: 'https://api.example.org/x' }), {
    status: 200,
    headers: {},
    body: 'ok',
    encoding: 'utf8',
  })
  t.match(sent[0], { trust: 'public', timeoutMilliseconds: 7000, maximumBytes: 5 * 1024 * 1024, method: 'GET' })
  await request({ url: 'http://box:8080/x', headers: { Host: 'evil', 'X-A': 'b' }, method: 'POST', body: 'x' })
  t.strictSame(sent[1]?.headers, { 'X-A': 'b' })
  const refused = [
    'https://evil.org',
    'https://api.example.org.evil.org',
    'http://box:8081',
    'http://box',
    'https://evil.org@x',
    'x',
    '',
  ]
  for (const url of refused) await t.rejects(request({ url }), /not granted/, url)
  for (const wrong of [
    null,
    {},
    { url: 1 },
    { url: 'https://api.example.org', method: 'TRACE' },
    { url: 'https://api.example.org', headers: { 'a\nb': 'c' } },
  ]) {
    await t.rejects(request(wrong))
  }
  t.equal(sent.length, 2)
  t.ok(isGranted(['*'], new URL('http://anything')))
  t.ok(isGranted(['a.b:443'], new URL('https://a.b/')))
  t.notOk(isGranted(['a.b:443'], new URL('http://a.b/')))
})

void t.test('a plugin sends at most 60 requests a minute, and gets bytes as base64', async (t) => {
  const { outbound } = fakeOutbound(Buffer.from([0xff, 0xfe]))
  const request = createHttpRequest({
    outbound,
    permissions: { ...GRANTED, isPrivateNetworkAllowed: true },
    requestsPerMinute: 60,
    timeoutMilliseconds: 7000,
  })
  for (let count = 0; count < 60; count += 1)
    t.match(await request({ url: 'http://box:8080/' }), { body: '//4=', encoding: 'base64' })
  await t.rejects(request({ url: 'http://box:8080/' }), /60 requests a minute/)
})

void t.test('two requests of a question end before the question does, and one of a password', async (t) => {
  const services = await testServices(t)
  const plugin = await installSource(t, services, { source: 'export default class {}' })
  const limits = new Map<PluginType, [number, number]>([
    ['auth-provider', [PROCESS_LIMITS.signInMilliseconds, 240]],
    ['metadata-provider', [PROCESS_LIMITS.questionMilliseconds / 2, 600]],
    ['subtitle-provider', [PROCESS_LIMITS.questionMilliseconds / 2, 60]],
  ])
  for (const [type, [milliseconds, perMinute]] of limits) {
    const { outbound, sent } = fakeOutbound(Buffer.from('ok'))
    const manifest = { ...plugin.manifest, type, permissions: GRANTED }
    const answer = createCallHandler({ db: services.db, outbound }, { ...plugin, manifest })
    const request = () => answer('http.request', { url: 'https://api.example.org/' })
    for (let count = 0; count < perMinute; count += 1) await request()
    await t.rejects(request(), /requests a minute/, type)
    t.ok(Number(sent[0]?.timeoutMilliseconds) < milliseconds, type)
  }
})

void t.test('a plugin calls the store at most 50 times a second', async (t) => {
  const services = await testServices(t)
  const plugin = await installSource(t, services, { source: 'export default class {}' })
  const answer = createCallHandler(services, plugin)
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => answer('store.list', {})))
  t.equal(results.filter(({ status }) => status === 'rejected').length, 10)
})

void t.test('a plugin keeps values up to 10 MiB', async (t) => {
  const services = await testServices(t)
  const { name } = await installSource(t, services, { source: 'export default class {}' })
  const values = createStoredValues({ db: services.db, pluginName: name })
  t.equal(await values.get({ key: 'a' }), null)
  await values.set({ key: 'a', value: { deep: [1, null, 'ü'] } })
  await values.set({ key: 'b', value: false })
  t.strictSame(await values.get({ key: 'a' }), { deep: [1, null, 'ü'] })
  t.equal(await values.get({ key: 'b' }), false)
  await values.set({ key: 'b', value: 'a\0b' })
  t.equal(await values.get({ key: 'b' }), 'a\0b')
  const large = 'x'.repeat(6 * 1024 * 1024)
  await values.set({ key: 'large', value: large })
  await values.set({ key: 'large', value: large })
  await t.rejects(values.set({ key: 'more', value: large }), /at most 10485760 bytes/)
  await values.delete({ key: 'large' })
  t.strictSame(await values.list(), ['a', 'b'])
  for (const wrong of [{}, { key: '' }, { key: 'a\0', value: 1 }, { key: 'x'.repeat(300), value: 1 }, { key: 'n' }]) {
    await t.rejects(values.set(wrong))
  }
})
