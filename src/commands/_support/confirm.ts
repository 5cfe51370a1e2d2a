import { createInterface } from 'node:readline/promises'
import { commandErrors } from './errors.ts'

/**
 * Asks whether something that cannot be undone shall be done, on stderr; anything but `y` or `yes` is no.
 * @throws AppError `usage` where nobody can be asked: no terminal, or `--no-input`; the text says what would be lost
 */
export async function confirmLoss(
  loss: string,
  { mayAsk, signal }: { mayAsk: boolean; signal: AbortSignal },
): Promise<boolean> {
  if (!process.stdin.isTTY || !mayAsk) throw commandErrors.usage({ message: loss, hint: 'give --yes to do it' })
  // Not in raw mode, so that Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return /^\s*y(?:es)?\s*$/i.test(await lines.question(`${loss} Go on? [y/N] `, { signal }))
  } finally {
    lines.close()
  }
}
