import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One numbered SQL file of `migrations/`. */
export type MigrationFile = {
  version: number
  /** File name, for example `0001_accounts.sql`. */
  name: string
  text: string
  /** SHA-256 of the text, hexadecimal. */
  checksum: string
  /** False if the file has a line `-- no transaction`, because it has statements that cannot run inside a transaction. */
  isTransactional: boolean
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/**
 * Reads the migrations of this release in order.
 * @throws Error if a name does not match the pattern, or the numbers have gaps or duplicates
 */
export function readMigrationFiles(directory: string = migrationDirectory()): MigrationFile[] {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readMigrationFile(directory, name))
  for (const [index, file] of files.entries()) {
    if (file.version !== index + 1) {
      throw new Error(
        `${file.name}: expected number ${index + 1}; numbers start at 0001 and have no gaps or duplicates`,
      )
    }
  }
  return files
}

/** The names of all tables that migrations of this release create, including tables that a later migration drops. */
export function listCreatedTables(): string[] {
  const statements = /^create (?:unlogged )?table (?:if not exists )?([a-z_][a-z0-9_]*)/gm
  const texts = readMigrationFiles().map(({ text }) => text)
  return ['schema_migrations', ...texts.flatMap((text) => [...text.matchAll(statements)].map(([, name = '']) => name))]
}

function readMigrationFile(directory: string, name: string): MigrationFile {
  const version = FILE_NAME.exec(name)?.[1]
  if (version === undefined) throw new Error(`${name}: migration names must look like 0001_topic.sql`)
  const text = readFileSync(join(directory, name), 'utf8')
  return {
    version: Number(version),
    name,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    isTransactional: !/^-- no transaction$/m.test(text),
  }
}

/** The folder with the migrations of the database of the hub. */
export function hubMigrationsFolder(name: 'hub'): string {
  return join(migrationDirectory(), name)
}

/** `migrations/` is beside package.json, whether this file runs from `src` or from `dist`. */
function migrationDirectory(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'migrations')
    if (existsSync(join(folder, 'package.json')) && existsSync(candidate)) return candidate
  }
  throw new Error('the migrations folder is missing from the installation')
}
