import { commandErrors } from '../errors.ts'

type Parsed = { raw: readonly { type: string; flag?: string }[] }

/**
 * Refuses a command that changes something but was not told what.
 * @param flags those of the command itself, of which one is needed
 * @param input.hint the command that shows the present values
 * @throws AppError `usage`, which names the flags
 */
export function requireChange(
  { raw }: Parsed,
  flags: Readonly<Record<string, { type: string; allowNo?: boolean }>>,
  { hint }: { hint: string },
): void {
  if (raw.some(({ type, flag }) => type === 'flag' && flag !== undefined && Object.hasOwn(flags, flag))) return
  const names = Object.entries(flags).map(([name, { allowNo }]) => (allowNo === true ? `--[no-]${name}` : `--${name}`))
  throw commandErrors.usage({ message: `Nothing to change: give at least one of ${names.join(', ')}`, hint })
}
