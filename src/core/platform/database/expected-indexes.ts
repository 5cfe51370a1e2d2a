import type { MigrationFile } from './migration-files.ts'

/** An index that the migrations create. */
export type ExpectedIndex = { name: string; table: string; statement: string }

/**
 * The indexes that exist after all migrations, without the indexes of constraints, from the text of the migrations. Only the kinds of
 * statements that the migrations use are parsed; a test compares the result with a migrated database.
 */
export function listExpectedIndexes(files: readonly Pick<MigrationFile, 'text'>[]): ExpectedIndex[] {
  const indexes = new Map<string, ExpectedIndex>()
  for (const statement of files.flatMap(({ text }) => statementsOf(text))) {
    const created = /^create (?:unique )?index (\w+) on (\w+) /.exec(statement)
    if (created !== null) {
      const [name = '', table = ''] = created.slice(1)
      indexes.set(name, { name, table, statement })
    }
    applyRenames(indexes, statement)
    const dropped = /^drop index (?:if exists )?(.+)$/.exec(statement)?.[1]?.split(',') ?? []
    for (const name of dropped) indexes.delete(name.trim())
    const table = /^drop table (?:if exists )?(\w+)/.exec(statement)?.[1]
    for (const index of indexes.values()) if (index.table === table) indexes.delete(index.name)
  }
  return [...indexes.values()]
}

/** The statements that create the indexes of a table name its columns as they are called now. */
function applyRenames(indexes: Map<string, ExpectedIndex>, statement: string): void {
  const [, name = '', newName = ''] = /^alter index (\w+) rename to (\w+)$/.exec(statement) ?? []
  const renamed = indexes.get(name)
  if (renamed !== undefined) {
    indexes.delete(name)
    const words = { from: name, to: newName }
    indexes.set(newName, { ...renamed, name: newName, statement: withWord(renamed.statement, words) })
  }
  const [, table = '', from = '', to = ''] = /^alter table (\w+) rename column (\w+) to (\w+)$/.exec(statement) ?? []
  for (const index of indexes.values()) {
    if (index.table === table) indexes.set(index.name, { ...index, statement: withWord(index.statement, { from, to }) })
  }
}

function withWord(statement: string, { from, to }: { from: string; to: string }): string {
  return statement.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to)
}

/** Bodies of functions are cut at their semicolons too; no part of them begins like a statement that is looked for. */
function statementsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.split('--')[0] ?? '')
  return lines
    .join(' ')
    .split(';')
    .map((statement) => statement.trim().split(/\s+/).join(' '))
}
