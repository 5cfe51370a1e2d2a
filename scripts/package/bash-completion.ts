import type { Command } from '@oclif/core'
import { flagWords, takesPath } from './command-words.ts'

const HEAD = `# Completion of phlix in bash. Copy it to ~/.local/share/bash-completion/completions/phlix.
# This file is written by \`npm run docs\` from src/commands.
`

/** The text of contrib/completions/phlix.bash: commands, flags, and the values of flags. Names have colons, at which bash splits words. */
export function bashCompletion(commands: readonly Command.Cached[]): string {
  const cases = commands.map(
    (command) =>
      `    ${command.id}) flags='${flagWords(command)
        .map(({ name }) => `--${name}`)
        .join(' ')}' ;;`,
  )
  const flags = new Map(commands.flatMap((command) => flagWords(command).map((flag) => [flag.name, flag] as const)))
  const valued = [...flags.values()].filter(({ value }) => value !== undefined)
  const values = valued.map((flag) => {
    const answer = takesPath(flag) ? 'compgen -f -- "$word"' : `compgen -W '${flag.choices.join(' ')}' -- "$word"`
    return `    --${flag.name}) mapfile -t COMPREPLY < <(${answer}); return ;;`
  })
  return `${HEAD}
_phlix() {
  local line=\${COMP_LINE:0:COMP_POINT} words word before flags=
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=\${words[-1]}
  before=\${words[-2]}
  if ((\${#words[@]} == 2)); then
    local colon=\${word%"\${word##*:}"}
    mapfile -t COMPREPLY < <(compgen -W '${commands.map(({ id }) => id).join(' ')}' -- "$word")
    [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"$colon"}")
    return
  fi
  case $before in
${values.join('\n')}
  esac
  case \${words[1]} in
${cases.join('\n')}
  esac
  if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  else mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
}
complete -o filenames -F _phlix phlix
`
}
