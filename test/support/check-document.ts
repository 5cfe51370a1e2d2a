import type { CommandResult } from './command-host.ts'

/**
 * Compares the `--json` document of a command with the schema that `phlix schema` prints for it, so that every test of a command also tests
 * its schema. Other output is not checked.
 * @throws Error with the differences
 */
export async function checkDocument(words: readonly string[], { stdout }: CommandResult): Promise<void> {
  const document = words.includes('--json') ? documentOf(stdout) : undefined
  if (document === undefined) return
  const { FAILURE_SCHEMA, resultSchema } = await import('../../src/commands/_support/schemas/index.ts')
  const id = /^([a-z0-9.-]+)\/1$/.exec(String(document['schema']))?.[1]?.replaceAll('.', ':')
  const schema = id === undefined ? FAILURE_SCHEMA : resultSchema(id)
  if (schema === undefined) throw new Error(`${String(document['schema'])}: there is no such schema`)
  const { Value } = await import('typebox/value')
  const differences = [...Value.Errors(schema, document)].map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  )
  if (differences.length > 0) throw new Error(`the schema of ${words.join(' ')} is wrong: ${differences.join('; ')}`)
}

/** The output as a result or a failure; undefined if it is neither. */
function documentOf(stdout: string): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = JSON.parse(stdout)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const document = value as Record<string, unknown>
  return typeof document['schema'] === 'string' || 'error' in document ? document : undefined
}
