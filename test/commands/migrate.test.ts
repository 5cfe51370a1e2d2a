import t from 'tap'
import { emptyDatabase } from '../support/database.ts'
import { runPhlix, runPhlixProcess, temporaryDataDirectory } from '../support/phlix.ts'

type Document = { schema_version: number; applied: string[]; pending: string[] }

void t.test('migrate brings an empty database to the newest schema, once', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = await emptyDatabase(t)
  const migrate = async (...flags: string[]) => {
    const { code, stdout } = await runPhlix(['migrate', ...flags, '--json', '--data-dir', data], { environment })
    return { code, document: JSON.parse(stdout) as Document }
  }

  const before = await migrate('--check')
  t.equal(before.code, 4, 'pending migrations are a finding')
  t.equal(before.document.schema_version, 0)
  t.ok(before.document.pending.length > 0)
  t.strictSame(before.document.applied, [])

  const first = await migrate()
  t.equal(first.code, 0)
  t.strictSame(first.document.applied, before.document.pending)
  t.strictSame(first.document.pending, [])
  t.ok(first.document.schema_version > 0)

  const second = await migrate()
  t.match(second, { code: 0, document: { applied: [], pending: [], schema_version: first.document.schema_version } })

  const after = await migrate('--check')
  t.match(after, { code: 0, document: { applied: [], pending: [], schema_version: first.document.schema_version } })
  t.equal((await migrate('--dry-run')).code, 0, '--dry-run is the same as --check')
})

void t.test('two migrations at the same time both succeed, and each step is applied once (F-31, F-34)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = await emptyDatabase(t)
  const words = ['migrate', '--json', '--data-dir', data]
  const both = await Promise.all([1, 2].map(() => runPhlixProcess(words, { environment })))
  t.strictSame(
    both.map(({ code }) => code),
    [0, 0],
  )
  const applied = both.flatMap(({ stdout }) => (JSON.parse(stdout) as Document).applied)
  t.equal(new Set(applied).size, applied.length)
})

void t.test('for people it is one line', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = await emptyDatabase(t)
  const migrate = (...flags: string[]) => runPhlix(['migrate', ...flags, '--data-dir', data], { environment })
  t.match(await migrate('--check'), { code: 4, stdout: /^Schema 0; pending: 0001/ })
  t.match(await migrate(), { code: 0, stdout: /^Schema \d+; applied 0001/, stderr: '' })
  t.match(await migrate(), { code: 0, stdout: /^Schema \d+; nothing to do\n$/ })
  t.match(await migrate('-q'), { code: 0, stdout: '', stderr: '' })
})
