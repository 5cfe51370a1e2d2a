import { execFileSync } from 'node:child_process'
import t from 'tap'
import {
  hasMatchable,
  readyMessage,
  sampleItemType,
  sampleCommands,
  localAddress,
  networkAddress,
} from '../../scripts/quickstart/ready-message.ts'

const served = {
  host: undefined,
  port: 8096,
  password: 'Sp-4_x',
  itemType: 'movie',
  resetCommand: 'bin/phlix user:reset-password admin',
  keyCommand: undefined,
}

void t.test('the run that created the account shows its password, and the sample lines contain it', async (t) => {
  t.match(readyMessage(served), 'with the password Sp-4_x (shown only in this run)')
  t.match(sampleCommands(served)[0], '"password":"Sp-4_x"')
})

void t.test(
  'a later run has no password: it prints how to reset it, and the lines read it from PHLIX_PASSWORD',
  async (t) => {
    const later = { ...served, password: undefined }
    t.match(readyMessage(later), 'bin/phlix user:reset-password admin')
    const [login = ''] = sampleCommands(later)
    const body = login.replace(/^.* -d /, 'printf %s ').replace(/ \| sed.*$/, '')
    t.equal(
      execFileSync('sh', ['-c', body], { encoding: 'utf8', env: { PHLIX_PASSWORD: 'a b$c' } }),
      '{"username":"admin","password":"a b$c"}',
    )
  },
)

void t.test('if no provider has a key, the command that sets the key of TMDB is printed', (t) => {
  t.notMatch(readyMessage(served), 'TMDB')
  const keyCommand = 'bin/phlix config:set metadata.tmdb.api_key -'
  t.match(readyMessage({ ...served, keyCommand }), `set a key of TMDB, then restart: ${keyCommand}\n`)
  t.ok(hasMatchable(['music', 'series']))
  t.notOk(hasMatchable(['music', 'book']))
  t.end()
})

void t.test('the lines are three, and a shell can read each of them', async (t) => {
  const lines = sampleCommands(served)
  t.equal(lines.length, 3)
  for (const line of lines) t.equal(execFileSync('sh', ['-nc', line], { encoding: 'utf8' }), '')
})

void t.test('the lines list and play films of a library of films, else of another library', async (t) => {
  t.equal(sampleItemType(['book', 'music', 'movie']), 'movie')
  t.equal(sampleItemType(['book', 'music']), 'audio')
  t.equal(sampleItemType([]), 'movie')
  for (const line of sampleCommands({ ...served, itemType: 'audio' }).slice(1)) t.match(line, 'types=audio&')
})

const ADDRESSES: readonly [host: string | undefined, address: string][] = [
  [undefined, 'http://localhost:8096'],
  ['0.0.0.0', 'http://localhost:8096'],
  ['::', 'http://localhost:8096'],
  ['127.0.0.1', 'http://127.0.0.1:8096'],
  ['::1', 'http://[::1]:8096'],
  ['media.example.org', 'http://media.example.org:8096'],
]

for (const [host, address] of ADDRESSES) {
  void t.test(`a server that listens on ${host ?? 'every address'} is found at ${address}`, async (t) => {
    t.equal(localAddress({ host, port: 8096 }), address)
  })
}

void t.test('a server that listens on one address has no other', async (t) => {
  t.equal(networkAddress({ host: '127.0.0.1', port: 8096 }), undefined)
})
