import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Runs npm in a folder and returns its output. The npm that runs this script, else the one that is installed beside this Node, else the
 * one of the shell, which may be too old for a command.
 */
export function npm(words: readonly string[], folder: string): string {
  const beside = join(dirname(process.execPath), '..', '..', 'npm', 'bin', 'npm-cli.js')
  const ours = process.env['npm_execpath'] ?? (existsSync(beside) ? beside : undefined)
  const [file, first] = ours === undefined ? ['npm', []] : [process.execPath, [ours]]
  // Without NODE_OPTIONS: what a test preloads must not be loaded by npm.
  const { NODE_OPTIONS: _, ...environment } = process.env
  return execFileSync(file, [...first, ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
