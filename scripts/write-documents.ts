import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPTIONS, type Option } from '../src/core/platform/config/index.ts'
import { SETTINGS } from '../src/core/platform/settings/index.ts'
import type { ErrorFactory } from '../src/core/platform/errors/index.ts'
import { coreFolderOf, readSources } from './check-layers.ts'
import { tablesPage } from './table-owners.ts'
import { THREAT_PAGES, threatPage } from './threat-pages.ts'
import { API_TYPES_PATH, apiTypes } from './write-api-types.ts'
import { markdownTable } from './markdown-table.ts'

/**
 * Prints what mirrors code: the tables of docs/ (options, error codes, tests of threats and faults), and the types of replies for the web app. `npm run docs` writes them,
 * test/documents.test.ts fails when a committed page differs.
 */

const root = join(import.meta.dirname, '..')

/** docs/configuration.md: one row per option. */
export function configurationPage(): string {
  const rows = (Object.entries(OPTIONS) as [string, Option][]).map(([path, option]) => {
    const names = option.env.flatMap((name) => (option.secret ? [name, `${name}_FILE`] : [name]))
    const kind = option.type === 'text' && option.choices !== undefined ? option.choices.join(', ') : rangeOf(option)
    return [code(path), kind, code(String(option.default ?? '')), names.map(code).join(' '), option.doc]
  })
  return `# Configuration

The value of an option is that of the first source that has one: command flag, environment, file, settings in the database, default. The file
is TOML: \`--config FILE\`, else \`PHLIX_CONFIG\`, else \`config.toml\` in the data directory, else \`/etc/phlix/config.toml\`. An option
\`server.port\` is \`port\` below \`[server]\`. The data directory is \`--data-dir\`, else \`PHLIX_DATA_DIR\`, else \`/var/lib/phlix\` for root
and \`$XDG_DATA_HOME/phlix\` for others.

An unknown name or an invalid value stops every command with exit code 78; the message lists all problems. \`phlix config:show --origin\`
prints the effective values and their sources; secrets are shown as \`***\`. The \`_FILE\` names read a secret from a file.

This page is written by \`npm run docs\` from \`src/core/platform/config/options.ts\`.

${markdownTable(['option', 'value', 'default', 'environment', 'meaning'], rows)}

## Settings in the database

These options can also be set while the server runs: by \`phlix config:set NAME VALUE\`, and over HTTP
([api/server-settings.md](api/server-settings.md)). \`phlix config:unset NAME\` removes the value. A flag, the environment and the file have
priority. A \`live\` setting takes effect at once, other settings in the next process that starts. Secrets are stored in the database in plain text.

${markdownTable(
  ['option', 'takes effect'],
  Object.entries(SETTINGS).map(([path, scope]) => [code(path), scope === 'live' ? 'live' : 'after a restart']),
)}
`
}

/** docs/errors.md: every public error code. */
export async function errorsPage(): Promise<string> {
  const rows = (await errorFactories()).map(({ definition: { code: word, kind, title, doc } }) => [
    code(word),
    kind,
    title,
    doc,
  ])
  return `# Errors

Every error of the HTTP API is \`{"error": title, "code": code, "message"?: text}\` ([passkey routes](api/passkeys.md) answer
only \`{"error": title}\`). Every failed command with \`--json\` prints
\`{"error": {"code", "message", "exit", "hint", "details"}}\` with the same codes. The kind determines the HTTP status
(\`src/daemon/hooks/errors.ts\`) and the exit code (\`src/commands/_support/exit-codes.ts\`).

This page is written by \`npm run docs\` from the \`errors.ts\` files.

${markdownTable(['code', 'kind', 'title', 'when'], rows)}
`
}

async function errorFactories(): Promise<ErrorFactory[]> {
  // Two domains may use one code for different errors (`invalid_type`); the title distinguishes them.
  const found = new Map<string, ErrorFactory>()
  for (const path of globSync('src/**/*errors.ts', { cwd: root }).toSorted()) {
    const module = (await import(join(root, path))) as Record<string, unknown>
    for (const exported of Object.values(module)) {
      if (typeof exported !== 'object' || exported === null) continue
      for (const factory of Object.values(exported)) {
        if (isErrorFactory(factory)) found.set(`${factory.definition.code} ${factory.definition.title}`, factory)
      }
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, factory]) => factory)
}

function isErrorFactory(value: unknown): value is ErrorFactory {
  return typeof value === 'function' && 'definition' in value
}

function rangeOf(option: Option): string {
  return option.type === 'integer' ? `${option.min} to ${option.max}` : option.type
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

/** Text by page path, for the writer and for the test that compares. */
export async function generatedPages(): Promise<Record<string, string>> {
  return {
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': await errorsPage(),
    [API_TYPES_PATH]: apiTypes(),
    'docs/tables.md': tablesPage(readSources(), coreFolderOf),
    ...Object.fromEntries(THREAT_PAGES.map((page) => [page, threatPage(root, page)])),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await generatedPages())) {
    const file = join(root, path)
    const before = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    if (before !== text) writeFileSync(file, text)
    process.stdout.write(`${before === text ? 'unchanged' : 'written'} ${path}\n`)
  }
}
