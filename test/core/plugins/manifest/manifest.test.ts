import { compareVersions } from '../../../../src/core/platform/config/index.ts'
import { createHash } from 'node:crypto'
import t from 'tap'
import { manifestHash, readManifest } from '../../../../src/core/plugins/manifest/manifest.ts'
import {
  changeSettings,
  effectiveSettings,
  redactedSettings,
} from '../../../../src/core/plugins/manifest/plugin-settings.ts'
import { manifestText } from '../../../support/plugin-archives.ts'

const SERVER = { serverVersion: '0.1.0' }
const read = (fields: Record<string, unknown>) => readManifest(manifestText(fields), SERVER)

void t.test('a manifest with all fields is read', (t) => {
  const manifest = read({
    events: ['phlix.playback.started', 'playback.started', 'user.created'],
    settings: { token: { type: 'string', required: true, secret: true, tier: 'basic' } },
    permissions: { hosts: ['api.example.org', 'localhost:8080'], private_network: true, durable: true },
    later: 'fields that a newer release knows are ignored',
  })
  t.strictSame(manifest.events, ['playback.started', 'user.created'])
  t.match(manifest, {
    name: 'phlix-plugin-sample',
    settings: { token: { type: 'string', required: true, secret: true } },
    permissions: { hosts: ['api.example.org', 'localhost:8080'], isPrivateNetworkAllowed: true, isDurable: true },
  })
  t.end()
})

void t.test('a manifest that breaks a rule is refused with the name of the field (PI-02)', (t) => {
  const broken: [Record<string, unknown>, RegExp][] = [
    ...[
      '../evil',
      '__proto__',
      'sample',
      'phlix-plugin-',
      'phlix-plugin-A',
      'phlix-plugin-a--b',
      `phlix-plugin-${'a'.repeat(60)}`,
      '-opt',
    ].map((name): [Record<string, unknown>, RegExp] => [{ name }, /name/]),
    [{ version: '1' }, /version/],
    [{ version: '1.0.0/../..' }, /version/],
    [{ type: 'virus' }, /type/],
    ...['../index.mjs', '/index.mjs', 'index.sh', 'a/../b.mjs', 'a//b.js', '.hidden.js'].map(
      (entry): [Record<string, unknown>, RegExp] => [{ entry }, /entry/],
    ),
    [{ events: ['playback.exploded'] }, /events/],
    [{ settings: { 'a b': { type: 'string' } } }, /settings/],
    [{ settings: { a: { type: 'date' } } }, /settings/],
    [{ settings: { a: { type: 'string', link: 'javascript:alert(1)' } } }, /settings/],
    [{ permissions: { hosts: ['http://x'] } }, /permissions/],
    [{ permissions: { everything: true } }, /permissions/],
    [{ permissions: { durable: true }, type: 'metadata-provider' }, /durable/],
    [{ phlix_min_server_version: '99.0.0' }, /needs Phlix 99/],
    [{ signature: `sha256:${'0'.repeat(64)}` }, /signature/],
  ]
  for (const [fields, message] of broken) {
    t.throws(() => read(fields), { code: 'plugin.install.failed', message }, JSON.stringify(fields))
  }
  for (const text of ['', '[]', 'null', '"x"', '{'])
    t.throws(() => readManifest(text, SERVER), { message: /not a JSON object/ })
  t.end()
})

void t.test('the signature is the SHA-256 of the other fields', (t) => {
  const fields = JSON.parse(manifestText()) as Record<string, unknown>
  const hash = createHash('sha256').update(manifestText()).digest('hex')
  t.equal(manifestHash({ ...fields, signature: 'any' }), hash)
  t.equal(read({ signature: `sha256:${hash}` }).name, 'phlix-plugin-sample')
  t.equal(read({ signature: null }).name, 'phlix-plugin-sample')
  t.end()
})

void t.test('versions are compared by numbers', (t) => {
  const ordered = ['0.9.10', '0.10.0-rc.1', '0.10.0', '1.0.0', '10.0.0']
  for (const [index, version] of ordered.entries()) {
    t.equal(compareVersions(version, version), 0)
    for (const later of ordered.slice(index + 1)) t.ok(compareVersions(version, later) < 0, `${version} < ${later}`)
  }
  t.end()
})

void t.test('settings are checked against their declarations, and secrets are never shown', (t) => {
  const { settings: declared } = read({
    settings: {
      token: { type: 'string', required: true, secret: true },
      retries: { type: 'int', default: 3 },
      ratio: { type: 'float' },
      loud: { type: 'bool' },
      tags: { type: 'array' },
    },
  })
  const first = changeSettings(declared, {
    current: {},
    changes: { token: 's3cret', ratio: 0.5, loud: true, tags: ['a', 1] },
  })
  if (!('values' in first)) throw new Error('the settings are valid')
  t.strictSame(redactedSettings(declared, first.values), {
    retries: 3,
    token: '***',
    ratio: 0.5,
    loud: true,
    tags: ['a', 1],
  })
  t.match(effectiveSettings(declared, first.values), { token: 's3cret', retries: 3 })
  const kept = changeSettings(declared, { current: first.values, changes: { token: '***', ratio: null } })
  t.strictSame(kept, { values: { token: 's3cret', loud: true, tags: ['a', 1] } })
  const wrong = { retries: 1.5, ratio: 'x', loud: 1, tags: [{}], other: 1, __proto__x: 1, constructor: 1 }
  t.match(changeSettings(declared, { current: {}, changes: wrong }), {
    problems: {
      retries: /int/,
      ratio: /float/,
      loud: /bool/,
      tags: /array/,
      other: /is not a setting/,
      constructor: /is not a setting/,
      token: /required/,
    },
  })
  t.end()
})
