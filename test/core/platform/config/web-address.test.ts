import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { webAddressProblem } from '../../../../src/core/platform/config/web-address.ts'

void t.test('the address of a service is http or https, with a path and without a query', (t) => {
  for (const good of ['https://api.example.org', 'http://127.0.0.1:8080/3', 'https://[::1]/v4/', 'HTTPS://A/b/c']) {
    t.equal(webAddressProblem(good), undefined, good)
  }
  for (const bad of [
    '',
    'api.example.org',
    'ftp://a',
    'file:///etc/passwd',
    'https://',
    'https://user:secret@a/',
    'https://a/?key=1',
    'https://a/#x',
    'https://a b/',
    'https://a/\r\nx',
    'https://a:99999/',
    `https://${'a'.repeat(1_000_000)}`,
    `https://a/${'b'.repeat(1_000_000)}`,
  ]) {
    t.match(webAddressProblem(bad), /^must be /, bad.slice(0, 40))
  }
  t.end()
})

void t.test('languages and countries have their usual form', (t) => {
  const load = (path: 'metadata.language' | 'metadata.country', value: string) =>
    loadConfig({ environment: {}, flags: { [path]: value } }).options[path]
  for (const value of ['de', 'de-DE', 'pt-BR']) t.equal(load('metadata.language', value), value)
  for (const value of ['', 'DE', 'de_DE', 'german', 'de-DE\n', 'de&x=1']) {
    t.throws(() => load('metadata.language', value), { code: 'invalid_config' }, value)
  }
  t.equal(load('metadata.country', 'DE'), 'DE')
  for (const value of ['', 'de', 'DEU', 'D1', 'DE\n']) {
    t.throws(() => load('metadata.country', value), { code: 'invalid_config' }, value)
  }
  t.end()
})
