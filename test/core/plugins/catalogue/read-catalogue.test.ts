import t from 'tap'
import { chooseVersion } from '../../../../src/core/plugins/catalogue/choose-version.ts'
import { readCatalogue } from '../../../../src/core/plugins/catalogue/read-catalogue.ts'

const HTTPS = 'https://plugins.test/a/plugins.json'
const sha256 = 'A'.repeat(64)
const read = (value: unknown, url = HTTPS) => readCatalogue(Buffer.from(JSON.stringify(value)), { url })
const index = (...plugins: unknown[]) => ({ schemaVersion: 1, name: 'c', plugins })
const entry = (fields: object) => ({ name: 'phlix-plugin-a', versions: [], ...fields })
const version = (fields: object) => ({ version: '1.0.0', url: 'x.tgz', sha256, ...fields })

void t.test('an index is read; addresses are relative to it, and texts are cut', (t) => {
  const tags = ['a', 1]
  const texts = { title: `a\nb${'x'.repeat(300)}`, type: 'notifier', summary: 5, tags, repo: 'https://example.org/a' }
  const versions = [version({}), version({ version: '1.10.0', channel: 'dev' }), version({ version: '1.9.0' })]
  const catalogue = read(index(entry({ ...texts, versions })))
  const [found] = catalogue.entries
  t.match(found, { name: 'phlix-plugin-a', summary: '', author: '', tags: [], repository: 'https://example.org/a' })
  t.equal(found?.title.length, 200)
  t.equal(found?.title.slice(0, 4), 'a bx')
  t.strictSame(
    found?.versions.map((one) => one.version),
    ['1.10.0', '1.9.0', '1.0.0'],
  )
  t.match(found?.versions[2], { url: 'https://plugins.test/a/x.tgz', sha256: sha256.toLowerCase(), channel: 'stable' })
  t.end()
})

void t.test('what is no index is refused, and so is what lists something twice', (t) => {
  const refused = { code: 'plugin_catalogue_failed' }
  for (const text of ['', 'x', '[]', 'null', '{}', '{"schemaVersion":2,"name":"","plugins":[]}', '"\xff"']) {
    t.throws(() => readCatalogue(Buffer.from(text, 'latin1'), { url: HTTPS }), refused, text)
  }
  t.throws(() => read(index(...Array.from({ length: 1001 }, () => ({})))), refused)
  t.throws(() => read(index(entry({}), entry({}))), { ...refused, message: /phlix-plugin-a twice/ })
  t.throws(() => read(index(entry({ versions: [version({}), version({ url: 'y' })] }))), {
    ...refused,
    message: /1\.0\.0 twice/,
  })
  t.end()
})

void t.test('an index of too many levels or values is refused before it is parsed; the largest one is read', (t) => {
  const text = (rest: string) => Buffer.from(`{"schemaVersion":1,"name":"c","plugins":[],"x":${rest}}`)
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const refused = { code: 'plugin_catalogue_failed', message: /more than 16 levels or 300000 keys and values/ }
  t.ok(readCatalogue(text(nested(15)), { url: HTTPS }))
  t.throws(() => readCatalogue(text(nested(16)), { url: HTTPS }), refused)
  t.throws(() => readCatalogue(text('['.repeat(1_000_000)), { url: HTTPS }), refused, 'no JSON either')
  t.throws(() => readCatalogue(text(`[${'0,'.repeat(300_000)}0]`), { url: HTTPS }), refused)
  const plugins = Array.from({ length: 1000 }, (_, plugin) => ({
    name: `phlix-plugin-a${plugin}`,
    key: 'k',
    versions: Array.from({ length: 50 }, (_, minor) => ({ version: `1.${minor}.0`, url: 'x' })),
  }))
  const largest = Buffer.from(JSON.stringify({ schemaVersion: 1, name: 'c', plugins }))
  t.ok(largest.length < 2 * 1024 * 1024)
  const { entries } = readCatalogue(largest, { url: HTTPS })
  t.equal(entries.flatMap(({ versions }) => versions).length, 50_000)
  t.end()
})

void t.test('entries and versions of another form, and those that nothing pins, are left out', (t) => {
  for (const fields of [{ name: '../evil' }, { name: 'phlix-plugin-A' }, { name: 1 }, { versions: 'x' }, { key: 1 }]) {
    t.strictSame(read(index(entry(fields))).entries, [], JSON.stringify(fields))
  }
  t.strictSame(read(index(1, null, 'x')).entries, [])
  const bad = [
    { sha256: null },
    { sha256: 'abc' },
    { version: '1.0' },
    { url: 'http://plugins.test/x.tgz' },
    { url: 'file:///etc/passwd' },
    { url: 'data:x,y' },
    { url: 'https://user:secret@plugins.test/x' },
    { channel: 'nightly' },
  ]
  for (const fields of bad) {
    t.strictSame(read(index(entry({ versions: [version(fields)] }))).entries[0]?.versions, [], JSON.stringify(fields))
  }
  const signed = read(index(entry({ key: 'RWQ', versions: [version({ sha256: null })] }))).entries[0]
  t.match(signed, { key: 'RWQ', versions: [{ sha256: null }] }, 'a key pins all versions')
  const local = read(index(entry({ versions: [version({})] })), 'file:///srv/plugins.json').entries[0]
  t.match(local?.versions, [{ url: 'file:///srv/x.tgz' }], 'an index that is a file names files beside it')
  for (const repo of ['javascript:alert(1)', 'http://example.org', 'data:text/html,x']) {
    t.equal(read(index(entry({ repo }))).entries[0]?.repository, null, repo)
  }
  t.end()
})

void t.test('the newest version of the channel that runs on this release is chosen', (t) => {
  const versions = [
    version({ version: '3.0.0', phlix_min_server_version: '9.0.0' }),
    version({ version: '2.1.0', channel: 'dev' }),
    version({ version: '2.1.0-rc.10' }),
    version({ version: '2.1.0-rc.9' }),
    version({ version: '2.0.0' }),
  ]
  const [found] = read(index(entry({ versions }))).entries
  t.strictSame(
    found?.versions.map((one) => one.version),
    ['3.0.0', '2.1.0', '2.1.0-rc.10', '2.1.0-rc.9', '2.0.0'],
  )
  const choose = (channel: 'stable' | 'dev', serverVersion = '0.1.0') =>
    found && chooseVersion(found, { channel, serverVersion })?.version
  t.equal(choose('stable'), '2.0.0', 'a pre-release is never stable')
  t.equal(choose('dev'), '2.1.0')
  t.equal(choose('stable', '9.0.0'), '3.0.0')
  t.equal(chooseVersion({ versions: [] }, { channel: 'dev', serverVersion: '0.1.0' }), undefined)
  t.end()
})
