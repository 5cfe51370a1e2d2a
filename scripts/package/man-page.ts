import type { Command } from '@oclif/core'
import { EXIT_CODES } from '../../src/commands/_support/exit-codes.ts'
import { flagWords, type FlagWords } from './command-words.ts'

type ManPage = { commands: readonly Command.Cached[]; version: string; epochSeconds: number }

/** The manual page phlix(1) in the man(7) language: every command with its arguments, flags and exit codes. */
export function manPage({ commands, version, epochSeconds }: ManPage): string {
  const date = new Date(epochSeconds * 1000).toISOString().slice(0, 10)
  const shared = flagWords(commands[0] as Command.Cached).filter(({ isShared }) => isShared)
  return [
    `.TH PHLIX 1 "${date}" "Phlix ${version}" "User Commands"`,
    '.SH NAME',
    'phlix \\- personal media server and its command line',
    '.SH SYNOPSIS',
    '.B phlix',
    '.I COMMAND',
    '[\\fIARGUMENTS\\fR] [\\fIFLAGS\\fR]',
    '.SH DESCRIPTION',
    'Phlix catalogues and streams the media files in your folders.',
    '.B phlix serve',
    'runs the server; the other commands work with or without it.',
    '.SH FLAGS OF EVERY COMMAND',
    ...shared.flatMap(describeFlag),
    '.SH COMMANDS',
    ...commands.flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, when }) => ['.TP', `.B ${code}`, escaped(when)]),
    '.SH FILES',
    '.TP',
    '.I /etc/phlix/config.toml',
    'Options, unless the data directory has a file of that name.',
    '.TP',
    '.I /etc/phlix/jwt\\-secret',
    'The secret that signs tokens and media addresses.',
    '.TP',
    '.I /var/lib/phlix',
    'The data directory of the service.',
    '.TP',
    '.I /usr/share/doc/phlix',
    'The documentation of this release.',
    '',
  ].join('\n')
}

function describeCommand(command: Command.Cached): string[] {
  const args = Object.values(command.args).map(({ name, required }) =>
    required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const own = flagWords(command).filter(({ isShared }) => !isShared)
  return [
    `.SS "${escaped(['phlix', command.id, ...args].join(' '))}"`,
    escaped(command.summary ?? ''),
    ...(command.description === undefined ? [] : ['.PP', escaped(command.description)]),
    ...own.flatMap(describeFlag),
  ]
}

function describeFlag({ name, letter, value, choices, text }: FlagWords): string[] {
  const word = choices.length > 0 ? choices.join('|') : value
  const shown = [letter === undefined ? '' : `-${letter}, `, `--${name}`, word === undefined ? '' : ` ${word}`]
  return ['.TP', `.B ${escaped(shown.join(''))}`, escaped(text)]
}

/** Characters that man(7) would interpret. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll(/^(?=[.'])/gm, '\\&')
    .replaceAll(/\n+/g, '\n.br\n')
    .replaceAll('<%= config.bin %>', 'phlix')
}
