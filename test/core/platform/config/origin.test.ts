import t from 'tap'
import { originProblem } from '../../../../src/core/platform/config/origin.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'

void t.test('the address of a server is scheme, host and port', (t) => {
  for (const good of [
    'https://media.example.org',
    'https://media.example.org/',
    'HTTPS://Media.Example.org:8443',
    'http://localhost:8096',
    'http://[::1]:8096',
    'https://bücher.example',
  ]) {
    t.equal(originProblem(good), undefined, good)
  }
  for (const bad of [
    '',
    'media.example.org',
    '//media.example.org',
    'ftp://media.example.org',
    'javascript:alert(1)',
    'https://',
    'https:///',
    'https://user:secret@media.example.org',
    'https://media.example.org/phlix',
    'https://media.example.org?x=1',
    'https://media.example.org#x',
    'https://media.example.org\\evil',
    'https://media.example.org:99999',
    'https://media example.org',
    ' https://media.example.org',
    'https://media.example.org\n',
    'https://[::1',
    'https://%zz',
    `https://${'a'.repeat(301)}`,
    `https://${'a.'.repeat(500_000)}`,
  ]) {
    t.match(originProblem(bad), /^must be an http or https address/, bad.slice(0, 60))
  }
  t.end()
})

void t.test('server.public_url is checked when the configuration is read', (t) => {
  const load = (PHLIX_PUBLIC_URL: string) =>
    loadConfig({ dataDirectory: t.testdir(), environment: { PHLIX_PUBLIC_URL } })
  t.equal(load('https://media.example.org').options['server.public_url'], 'https://media.example.org')
  t.throws(() => load('media.example.org'), {
    code: 'invalid_config',
    details: {
      problems: [
        'PHLIX_PUBLIC_URL must be an http or https address without a path, for example https://media.example.org',
      ],
    },
  })
  t.end()
})
