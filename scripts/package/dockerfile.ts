/** An instruction of a Dockerfile, with the number of its first line. */
export type Instruction = { name: string; words: string; line: number }

/** Instructions that `scripts/try-dockerfile.ts` can follow without Docker. */
export const KNOWN_INSTRUCTIONS = [
  'FROM',
  'RUN',
  'COPY',
  'ENV',
  'USER',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'WORKDIR',
  'EXPOSE',
  'VOLUME',
] as const

/**
 * Reads a Dockerfile: one instruction per line, or over several lines that end with a backslash.
 * @throws Error for an instruction that is not known
 */
export function parseDockerfile(text: string): Instruction[] {
  const instructions: Instruction[] = []
  let open: Instruction | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const [, name = '', rest = ''] = open === undefined ? (/^(\S+)\s+(.*)$/.exec(line) ?? []) : ['', '', line.trim()]
    const current = open ?? { name, words: '', line: index + 1 }
    const isContinued = rest.endsWith('\\')
    current.words += isContinued ? `${rest.slice(0, -1).trimEnd()} ` : rest
    open = isContinued ? current : undefined
    if (isContinued) continue
    if (!(KNOWN_INSTRUCTIONS as readonly string[]).includes(current.name))
      throw new Error(`line ${current.line}: ${current.name} is not an instruction that is used here`)
    instructions.push(current)
  }
  return instructions
}

/** The stages of a Dockerfile: each begins with FROM. */
export function stagesOf(instructions: readonly Instruction[]): Instruction[][] {
  const stages: Instruction[][] = []
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([])
    stages.at(-1)?.push(instruction)
  }
  return stages
}
