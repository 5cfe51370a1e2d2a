import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Value } from 'typebox/value'
import { releaseManifest } from '../../scripts/command-manifest.ts'
import { COMMAND_IDS, FAILURE_SCHEMA, resultSchema } from '../../src/commands/_support/schemas/index.ts'
import { checkDocument } from '../support/check-document.ts'
import { testDatabase } from '../support/database.ts'
import { TESTED_ELSEWHERE, WITHOUT_DATABASE, withDatabase } from '../support/every-command.ts'
import { siblingOfDataDirectory, runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const films = siblingOfDataDirectory(data, 'films')
await mkdir(films)
await writeFile(join(films, 'plugins.json'), JSON.stringify({ schemaVersion: 1, name: 'Own', plugins: [] }))
t.teardown(() => rm(films, { recursive: true, force: true }))

const COMMANDS = [...WITHOUT_DATABASE, ...withDatabase(films)]

void t.test('the list knows every command', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(join(import.meta.dirname, '..', '..'))) as { commands: object }
  t.strictSame(
    Object.keys(commands).toSorted(),
    [...COMMANDS.map(({ words }) => words), ...TESTED_ELSEWHERE].map(([id = '']) => id).toSorted(),
  )
})

/** What is wrong with the document of a command, as paths and messages. */
function problemsWith(id: string, document: unknown): string[] {
  const schema = resultSchema(id)
  if (schema === undefined) return ['it has no schema']
  return [...Value.Errors(schema, document)].map(({ instancePath, message }) => `${instancePath} ${message}`)
}

void t.test('every command has a schema', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(join(import.meta.dirname, '..', '..'))) as { commands: object }
  t.strictSame([...COMMAND_IDS], Object.keys(commands).toSorted())
  t.not(
    problemsWith('version', { schema: 'version/1', name: 'phlix', warnings: [] }).length,
    0,
    'a missing key is found',
  )
  t.not(problemsWith('user:list', { schema: 'user.list/1', users: [{}], warnings: [] }).length, 0)
})

/** The keys of all objects in a schema. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = (schema as { properties?: object }).properties ?? {}
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysIn)]
}

/** Names of shapes that no result has as a key. `{ natural }` instead of `{ count: natural }` is a mistake that a rename can make. */
const SHAPE_NAMES = ['natural', 'integer', 'flag', 'texts', 'freeObject']

void t.test('no key of a schema is the name of a shape', (t) => {
  t.ok(keysIn(resultSchema('status')).includes('count'))
  for (const id of COMMAND_IDS) {
    const keys = new Set(keysIn(resultSchema(id)))
    t.strictSame(
      SHAPE_NAMES.filter((name) => keys.has(name)),
      [],
      id,
    )
  }
  t.end()
})

void t.test('a document that differs from its schema fails every test that runs the command', async (t) => {
  const words = ['version', '--json']
  const result = await runPhlix(words)
  t.equal(result.code, 0)
  await t.rejects(checkDocument(words, { ...result, stdout: '{"schema":"version/1","extra":1}' }), /version --json/)
  await t.rejects(checkDocument(words, { ...result, stdout: '{"schema":"no.such/1"}' }), /there is no such schema/)
  await t.rejects(checkDocument(words, { ...result, stdout: '{"error":{}}' }), /version --json/)
  await t.resolves(checkDocument(['version'], { ...result, stdout: '{"schema":"version/1"}' }), 'only with --json')
})

void t.test('a failure has the schema `error`', async (t) => {
  const { stdout } = await runPhlix(['schema', 'no:such', '--json', '--data-dir', data])
  t.ok(Value.Check(FAILURE_SCHEMA, JSON.parse(stdout)), stdout)
})

for (const { words, keys } of COMMANDS) {
  const id = words[0] ?? ''
  void t.test(`${id} --json prints its result as one document`, async (t) => {
    const { code, stdout, stderr } = await runPhlix([...words, '--json', '--data-dir', data], { environment })
    t.equal(code, 0, stdout)
    t.equal(stderr, '')
    const document = JSON.parse(stdout) as Record<string, unknown>
    t.equal(document['schema'], `${id.replace(':', '.')}/1`)
    t.strictSame(Object.keys(document).toSorted(), [...keys, 'schema', 'warnings'].toSorted())
    t.strictSame(document['warnings'], [])
    t.strictSame(problemsWith(id, document), [], 'phlix schema describes it')
  })
}
