import t from 'tap'
import { findPluginSandbox } from '../../../../src/core/plugins/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { installSource } from '../../../support/plugins.ts'

const PATH = '/api/v1/admin/plugins'
const NAME = 'phlix-plugin-sample'
const app = await startApp(t)
const { token } = await app.registerAdmin()
const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
  app.ask(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) })
const skip = (await findPluginSandbox(app.services)).level === 'weak' && 'the machine offers no isolation'

void t.test('an administrator reads, configures, enables, disables and removes a plugin', { skip }, async (t) => {
  await installSource(t, app.services, {
    source:
      'export default class { onEnable({ settings }) { if (settings.token === "bad") throw new Error("refused") } }',
    settings: { token: { type: 'string', required: true, secret: true }, loud: { type: 'bool', default: true } },
  })
  t.match((await as('GET', '')).json, {
    plugins: [{ name: NAME, type: 'notifier', enabled: false, disabled_reason: null }],
  })
  t.match(await as('POST', `/${NAME}/enable`), {
    status: 400,
    json: { code: 'plugin.settings.validation_failed', errors: { token: 'is required' } },
  })
  const wrong = await as('PUT', `/${NAME}/settings`, { settings: { token: 1, other: 2 } })
  t.match(wrong, { status: 400, json: { errors: { token: /string/, other: /is not a setting/ } } })
  t.equal((await as('PUT', `/${NAME}/settings`, { settings: { token: 'bad' } })).status, 200)
  t.match(await as('POST', `/${NAME}/test`), { status: 409, json: { code: 'plugin_start_failed', message: /refused/ } })
  const set = await as('PUT', `/${NAME}/settings`, { settings: { token: 's3cret-canary' } })
  t.match(set.json, {
    plugin: { settings: { token: '***', loud: true }, secret_status: { token: { set: true, length: 13 } } },
  })
  t.strictSame((await as('POST', `/${NAME}/test`)).json, { success: true })
  t.equal(pick((await as('POST', `/${NAME}/enable`)).json, 'plugin', 'enabled'), true)
  const detail = await as('GET', `/${NAME}`)
  t.match(detail.json, {
    plugin: { enabled: true, events: ['playback.started'], settings_schema: { token: { secret: true } } },
  })
  t.notMatch(detail.text, /canary/)
  t.equal(pick((await as('POST', `/${NAME}/disable`)).json, 'plugin', 'enabled'), false)
  t.equal((await as('DELETE', `/${NAME}`)).status, 204)
  for (const name of [NAME, '..', '%00', '__proto__']) t.equal((await as('GET', `/${name}`)).status, 404, name)
})
