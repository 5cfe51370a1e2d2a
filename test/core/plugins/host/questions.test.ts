import t from 'tap'
import { createPluginHost, disablePlugin, findPluginSandbox } from '../../../../src/core/plugins/index.ts'
import { PROCESS_LIMITS } from '../../../../src/core/plugins/process/limits.ts'
import { installSource } from '../../../support/plugins.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const NAME = 'phlix-plugin-asked'

const SOURCE = `export default class {
  searchTitles({ title }) {
    if (title === 'throws') throw new Error('no \\u001b[31mway\\u0000')
    if (title === 'never') return new Promise(() => {})
    return { title }
  }
}`

const services = await testServices(t)
const { level } = await findPluginSandbox(services)

void t.test('a question is answered, or fails with one error', { skip: level === 'weak' && level }, async (t) => {
  const plugin = { name: NAME, type: 'metadata-provider', events: [], source: SOURCE, isEnabled: true }
  await installSource(t, services, plugin)
  // So many late answers do not end it.
  const limits = { ...PROCESS_LIMITS, questionMilliseconds: 2000, strikes: 1000 }
  const host = createPluginHost(services, { limits })
  t.strictSame(host.providers('metadata-provider'), [], 'none before the start')
  host.start()
  t.teardown(() => host.stop())
  await host.refresh()
  await waitUntil('it runs', () => host.find(NAME)?.isRunning() === true)
  const [provider] = host.providers('metadata-provider')
  if (provider === undefined) throw new Error('it is enabled')
  t.equal(provider.name, NAME)
  t.strictSame(host.providers('auth-provider'), [], 'only those of the type')
  const search = (title: string, signal?: AbortSignal) => provider.ask('searchTitles', { title }, signal)

  t.strictSame(await search('A'), { title: 'A' })
  t.equal(await provider.ask('readTitle', {}), null, 'without the method')
  t.equal(await provider.ask('constructor', {}).catch(() => null), null)
  const code = 'plugin_unavailable'
  await t.rejects(search('throws'), { code, message: `${NAME}: no  [31mway ` })
  await t.rejects(search('never'), { code, message: /did not answer/ })
  const stopped = new AbortController()
  const waiting = search('never', stopped.signal)
  stopped.abort(new Error('the client has gone'))
  await t.rejects(waiting, /the client has gone/)

  const holders = Array.from({ length: 8 }, () => new AbortController())
  const abandoned = holders.map(({ signal }) => search('never', signal).catch(() => undefined))
  for (const holder of holders) holder.abort()
  await Promise.all(abandoned)
  let isAnswered = false
  const next = search('A').then(() => (isAnswered = true))
  t.strictSame(await provider.ask('readTitle', {}, AbortSignal.timeout(50)).catch(() => 'it waits'), 'it waits')
  t.notOk(isAnswered, 'the plugin still works on the questions that were given up')
  await next

  const many = Array.from({ length: 80 }, () => search('never', stopped.signal).catch(() => undefined))
  await Promise.all(many)
  const flood = Array.from({ length: 80 }, () => search('never'))
  const ending = Promise.allSettled(flood)
  const outcomes = await Promise.allSettled(flood.slice(72))
  t.ok(outcomes.every((outcome) => outcome.status === 'rejected' && /too many questions/.test(String(outcome.reason))))

  await disablePlugin(services, NAME)
  await host.refresh()
  t.strictSame(host.providers('metadata-provider'), [])
  await t.rejects(search('A'), { code })
  const ended = await ending
  t.ok(
    ended.every(({ status }) => status === 'rejected'),
    'nobody waits for a plugin that was stopped',
  )
})
