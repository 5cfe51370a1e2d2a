import { Config } from '@oclif/core'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { releaseManifest } from '../../../../scripts/command-manifest.ts'
import PhlixHelp from '../../../../src/commands/_support/output/help.ts'
import { runPhlix } from '../../../support/phlix.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** The help page of these arguments. */
async function pageOf(...words: string[]): Promise<string> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { oclif: Record<string, unknown> }
  pjson.oclif['commands'] = { strategy: 'pattern', target: './src/commands', globPatterns: ['**/*.ts', '!_support/**'] }
  const config = await Config.load({ root, pjson: pjson as never, ignoreManifest: true })
  const lines: string[] = []
  class Captured extends PhlixHelp {
    protected override log(...texts: string[]): void {
      lines.push(...texts)
    }
  }
  await new Captured(config).showHelp(words)
  return lines.join('\n')
}

function headings(page: string): string[] {
  return [...page.matchAll(/^[A-Z][A-Z ]+$/gm)].map(([heading]) => heading)
}

void t.test('a page has the examples first, then flags, then exit codes', async (t) => {
  const page = await pageOf('library:scan')
  t.strictSame(headings(page), [
    'USAGE',
    'EXAMPLES',
    'ARGUMENTS',
    'FLAGS',
    'GLOBAL FLAGS',
    'DESCRIPTION',
    'EXIT CODES',
    'MORE',
  ])
  t.match(page, /\$ phlix library:scan LIBRARY \[--rescan\]/, 'usage shows the command’s own flags')
  t.match(page, /^ {2}3 +finished, but some items failed$/m)
  t.match(page, /^ {2}75 +busy/m)
})

void t.test('pages write commands with a colon, whichever form was asked for', async (t) => {
  const [colon, space] = await Promise.all([pageOf('library:list'), pageOf('library', 'list')])
  t.match(colon, /\$ phlix library:list/)
  t.equal(space, colon)
  const topic = await pageOf('library')
  for (const name of ['create', 'list', 'scan']) t.match(topic, new RegExp(`^ {2}library:${name} `, 'm'))
})

void t.test('the short help describes each topic', async (t) => {
  const page = await pageOf()
  t.match(page, /^ {2}library +Libraries: create, change, scan, check, delete\.$/m)
  t.match(page, /^ {2}serve +Run the server/m)
})

void t.test('every topic has a summary of its own, not that of its first command', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(root)) as { commands: Record<string, { summary: string }> }
  const page = await pageOf()
  for (const [id, { summary }] of Object.entries(commands)) {
    if (!id.includes(':')) continue
    const topic = id.split(':')[0] ?? ''
    const line = new RegExp(`^ {2}${topic} +(.*)$`, 'm').exec(page)?.[1] ?? ''
    t.not(line, '', topic)
    t.notOk(summary.startsWith(line), `${topic} has the summary of ${id}`)
  }
})

void t.test('the short help has examples before the topics, of commands and flags that exist', async (t) => {
  const page = await pageOf()
  t.ok(page.indexOf('EXAMPLES') > 0 && page.indexOf('EXAMPLES') < page.indexOf('TOPICS'))
  const { commands } = JSON.parse(await releaseManifest(root)) as { commands: Record<string, { flags: object }> }
  for (const [, id = '', rest = ''] of page.matchAll(/^ +\$ phlix ([a-z:]+)(.*)$/gm)) {
    const flags = Object.keys(commands[id]?.flags ?? {})
    for (const [, flag = ''] of rest.matchAll(/ --([a-z-]+)/g)) t.ok(flags.includes(flag), `${id} --${flag}`)
    t.ok(id === 'help' || id in commands, id)
  }
})

void t.test('the verbs are create and delete in every topic', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(root)) as { commands: object }
  // `plugin:new` writes files for an author and creates nothing on the server.
  const ids = Object.keys(commands).filter((id) => id !== 'plugin:new')
  const verbs = new Set(ids.map((id) => id.split(':')[1] ?? ''))
  for (const verb of ['add', 'remove', 'new', 'rm', 'destroy']) t.notOk(verbs.has(verb), verb)
})

void t.test('`help exit-codes` is the table of exit codes', async (t) => {
  const page = await pageOf('exit-codes')
  for (const code of [0, 2, 3, 66, 69, 74, 75, 77, 78, 127, 130, 143]) {
    t.match(page, new RegExp(`^ {2}${code} {2}[a-z-]+: `, 'm'), String(code))
  }
})

void t.test('every command names its exit codes, and its page the command that explains all', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(root)) as {
    commands: Record<string, { pluginName?: string; exitCodes?: number[] }>
  }
  for (const [id, { exitCodes }] of Object.entries(commands)) {
    for (const code of [0, 2]) t.ok(exitCodes?.includes(code), `${id} names ${code}`)
  }
  t.match(await pageOf('profile:update'), /`phlix exit-codes` all exit codes\./)
})

void t.test('the binary prints these pages, without a database', async (t) => {
  const environment = { DB_HOST: '127.0.0.1', DB_PORT: '1' }
  for (const words of [
    ['library:scan', '--help'],
    ['library', 'scan', '--help'],
    ['help', 'library:scan'],
  ]) {
    const { code, stdout, stderr } = await runPhlix(words, { environment })
    t.strictSame([code, stderr], [0, ''])
    t.ok(stdout.indexOf('EXAMPLES') < stdout.indexOf('FLAGS'), words.join(' '))
    t.match(stdout, /^EXIT CODES$/m)
  }
})

void t.test('-h prints the same as --help, wherever it is written', async (t) => {
  for (const words of [
    [],
    ['library'],
    ['library:scan'],
    ['library', 'scan'],
    ['user:create', 'ada'],
    ['autocomplete'],
  ]) {
    const [short, long] = await Promise.all([runPhlix([...words, '-h']), runPhlix([...words, '--help'])])
    t.strictSame([short.code, short.stderr], [0, ''], words.join(' '))
    t.match(short.stdout, /^USAGE$/m)
    t.equal(short.stdout, long.stdout)
  }
})

void t.test('-V, --version and version print the same', async (t) => {
  const [letter, flag, command] = await Promise.all(
    [['-V'], ['--version'], ['version']].map((words) => runPhlix(words)),
  )
  t.match(command?.stdout, /^phlix\/\d+\.\d+\.\d+ .*node-v\d+/)
  t.equal(letter?.stdout, command?.stdout)
  t.equal(flag?.stdout, command?.stdout)
})

void t.test('completion scripts for bash and zsh are there', async (t) => {
  const environment = { HOME: t.testdir() }
  for (const shell of ['bash', 'zsh']) {
    const { code, stdout } = await runPhlix(['autocomplete', 'script', shell], { environment })
    t.equal(code, 0)
    t.match(stdout, /PHLIX_AC_/)
  }
})
