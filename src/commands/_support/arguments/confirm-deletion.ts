import { createInterface } from 'node:readline/promises'
import { commandErrors } from '../errors.ts'

/**
 * Asks on stderr to confirm an irreversible action; any answer except `y` and `yes` means no.
 * @throws AppError `usage` without a terminal or with `--no-input`; the message says what would be deleted
 */
export async function confirmDeletion(
  loss: string,
  { mayAsk, signal }: { mayAsk: boolean; signal: AbortSignal },
): Promise<boolean> {
  if (!process.stdin.isTTY || !mayAsk)
    throw commandErrors.usage({ message: loss, hint: 'repeat the command with --yes to confirm' })
  // Raw mode is off, so that Ctrl-C sends a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return /^\s*y(?:es)?\s*$/i.test(await lines.question(`${loss} Continue? [y/N] `, { signal }))
  } finally {
    lines.close()
  }
}
