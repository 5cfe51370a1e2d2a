import type { Command } from '@oclif/core'
import type { Manifest } from '@oclif/core/interfaces'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_CODES } from '../src/commands/_support/exit-codes.ts'
import { describeRepetition } from '../src/commands/_support/output/help.ts'
import { releaseManifest } from './command-manifest.ts'
import { fishCompletion } from './package/fish-completion.ts'
import { bashCompletion } from './package/bash-completion.ts'
import { zshCompletion } from './package/zsh-completion.ts'
import { markdownTable } from './markdown-table.ts'

/**
 * Prints docs/commands.md from the command manifest. Run it after a change of flags or help texts; test/commands/documents.test.ts fails
 * when the committed page differs.
 */

const root = join(import.meta.dirname, '..')

/** The text of docs/commands.md. */
export async function commandsPage(): Promise<string> {
  const { commands } = JSON.parse(await releaseManifest(root)) as Manifest
  const all = Object.values(commands)
  const shared = flagsOf(all[0], true)
  return `# Commands

\`phlix COMMAND [ARGUMENTS] [FLAGS]\`; \`phlix help COMMAND\` prints one of the sections below. A command is written with a colon
(\`library:scan\`); the form with a space (\`library scan\`) works too.

- **stdout** contains only the result, so that it can be piped. Progress, warnings, errors and logs are written to **stderr**.
- \`--json\` (or \`PHLIX_CONTENT_TYPE=json\` for all commands of a script) prints exactly one JSON document on stdout. On success it has
  \`"schema"\` (\`"library.scan/1"\`; the number changes when a key is removed or changes its meaning) and \`"warnings"\`. On failure it is
  \`{"error": {"code", "message", "exit", "hint", "details"}}\` with the codes of [errors.md](errors.md). Times are ISO 8601 in UTC, sizes
  are bytes, durations are seconds.
- Commands ask for input only if standard input is a terminal; with \`--no-input\` (or \`CI=true\`) they never do.
- Ctrl-C ends the work and cleans up; a second Ctrl-C ends the process at once.
- \`--progress json\` prints one object per line on stderr: \`message_type\` is \`status\` (\`percent\` 0 to 1, \`done\`, \`total\`,
  \`current_path\`) or \`summary\`. \`PHLIX_PROGRESS_FPS\` is the number of lines per second (default 1).
- \`phlix autocomplete\` prints how to set up the completion of commands and flags in bash and zsh. \`contrib/completions\` has files for
  bash, zsh and fish, which packages install.

## Exit codes

Later releases may add codes. A script must treat an unknown code as a failure.

${markdownTable(
  ['code', 'name', 'when', 'for cron and systemd'],
  EXIT_CODES.map(({ code: number, name, when, reading }) => [code(String(number)), name, when, reading]),
)}

\`66\` means that what the command is about does not exist: something that Phlix stores under that name or id, or the file itself
(\`media:inspect FILE\`, \`backup:verify FILE\`). \`2\` means that the command line cannot be right: that includes a folder of \`--path\`, a file of
a flag such as \`--secret-file\`, and an archive of \`plugin:install\`, which are not there.

## Flags of every command

${markdownTable(['flag', 'meaning'], shared)}

${all.map(describeCommand).join('\n')}
---

This page is written by \`node scripts/write-command-docs.ts\` from \`src/commands\`.
`
}

/** The files of contrib/completions by name. */
export async function completions(): Promise<Map<string, string>> {
  const { commands } = JSON.parse(await releaseManifest(root)) as Manifest
  const all = Object.values(commands)
  return new Map([
    ['phlix.fish', fishCompletion(all)],
    ['phlix.bash', bashCompletion(all)],
    ['_phlix', zshCompletion(all)],
  ])
}

function describeCommand(command: Command.Cached): string {
  const parts = [`## ${command.id}`, command.summary ?? '']
  parts.push(`\`\`\`\n${examplesOf(command).join('\n')}\n\`\`\``)
  if (command.id === 'exit-codes') parts.push('The table above.')
  else if (command.description !== undefined) parts.push(command.description)
  const words = [
    ...Object.values(command.args).map((arg) => [
      code(arg.required === true ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`),
      arg.description ?? '',
    ]),
    ...flagsOf(command, false),
  ]
  if (words.length > 0) parts.push(markdownTable(['argument, flag', 'meaning'], words))
  const exits = Array.isArray(command['exitCodes']) ? (command['exitCodes'] as number[]) : []
  const safe = describeRepetition(command['isIdempotent']) ?? ''
  parts.push(
    `Exit codes: ${exits
      .toSorted((a, b) => a - b)
      .map((exit) => code(String(exit)))
      .join(' ')}. ${safe}`,
  )
  return `${parts.join('\n\n')}\n`
}

function examplesOf(command: Command.Cached): string[] {
  return (command.examples ?? []).map((example) =>
    (typeof example === 'string' ? example : example.command).replaceAll('<%= config.bin %>', 'phlix'),
  )
}

function flagsOf(command: Command.Cached | undefined, areShared: boolean): string[][] {
  const flags = Object.values(command?.flags ?? {}).filter((flag) => (flag.helpGroup === 'GLOBAL') === areShared)
  return flags
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => {
      const letter = flag.char === undefined ? '' : `-${flag.char}, `
      const value = flag.type === 'option' ? ` ${valueOf(flag)}` : ''
      const facts = [
        flag.required === true ? 'Required.' : '',
        flag.env === undefined ? '' : `Environment: ${code(flag.env)}.`,
        flag.type === 'option' && flag.default !== undefined ? `Default: ${code(String(flag.default))}.` : '',
      ]
      const name = flag.type === 'boolean' && flag.allowNo ? `[no-]${flag.name}` : flag.name
      return [
        code(`${letter}--${name}${value}`),
        [flag.summary ?? flag.description ?? '', ...facts].filter((fact) => fact !== '').join(' '),
      ]
    })
}

function valueOf(flag: Command.Flag.Cached): string {
  if ('options' in flag && Array.isArray(flag.options)) return flag.options.join('|')
  return 'helpValue' in flag && typeof flag.helpValue === 'string' ? flag.helpValue : 'VALUE'
}

function code(text: string): string {
  return `\`${text}\``
}

if (import.meta.main) {
  writeFileSync(join(root, 'docs', 'commands.md'), await commandsPage())
  for (const [name, text] of await completions()) writeFileSync(join(root, 'contrib', 'completions', name), text)
}
