import { isIPv4 } from 'node:net'
import { addressRangesProblem } from './address-ranges.ts'
import { originProblem } from './origin.ts'
import { pageOriginsProblem } from './page-origins.ts'
import { pathMapProblem } from './path-map.ts'
import { serverAddressProblem } from './server-address.ts'
import { webAddressProblem } from './web-address.ts'

/** What every option has. `doc` is the sentence that is printed in docs/configuration.md. */
export type OptionShape<Value> = {
  readonly default: Value
  readonly env: readonly string[]
  readonly secret: boolean
  readonly doc: string
}

export type TextOption = OptionShape<string | undefined> & {
  readonly type: 'text'
  readonly choices?: readonly string[]
  /** Describes what is wrong with a value, as half a sentence ("must be …"). Undefined for a valid value. */
  readonly check?: (value: string) => string | undefined
}
export type IntegerOption = OptionShape<number> & {
  readonly type: 'integer'
  readonly min: number
  readonly max: number
}
export type BooleanOption = OptionShape<boolean> & { readonly type: 'boolean' }
export type Option = TextOption | IntegerOption | BooleanOption

type Common = { env?: readonly string[]; secret?: boolean; doc: string }

function shape<Value>(value: Value, { env = [], secret = false, doc }: Common): OptionShape<Value> {
  return { default: value, env, secret, doc }
}

/** A text. `undefined` as the default means that the option is unset. */
export const textOption = <const Value extends string | undefined>(value: Value, common: Common) => ({
  type: 'text' as const,
  ...shape<Value extends undefined ? string | undefined : string>(value as never, common),
})

/** An option whose value is one of several words. */
export const choiceOption = <const Choices extends readonly string[]>(
  value: Choices[number],
  choices: Choices,
  common: Common,
) => ({
  type: 'text' as const,
  choices,
  ...shape<Choices[number]>(value, common),
})

/** Scheme, host and port of a web address, without a path. */
export const originOption = (common: Common) => ({
  type: 'text' as const,
  check: originProblem,
  ...shape<string | undefined>(undefined, common),
})

/** Origins of web pages, separated by commas. */
export const pageOriginsOption = (common: Common) => ({
  type: 'text' as const,
  check: pageOriginsProblem,
  ...shape<string>('', common),
})

/** IP addresses and ranges, separated by commas. */
export const addressRangesOption = (value: string, common: Common) => ({
  type: 'text' as const,
  check: addressRangesProblem,
  ...shape<string>(value, common),
})

/** An IPv4 address of one machine. */
export const ipv4AddressOption = (common: Common) => ({
  type: 'text' as const,
  check: (value: string) => (isIPv4(value) && value !== '0.0.0.0' ? undefined : 'must be an IPv4 address'),
  ...shape<string | undefined>(undefined, common),
})

/** An HTTP address. */
export const webAddressOption = (value: string, common: Common) => ({
  type: 'text' as const,
  check: webAddressProblem,
  ...shape<string>(value, common),
})

/** A text option that must match the pattern `form`; `problem` is the end of the message about any other text. */
export const patternOption = <const Value extends string | undefined>(
  value: Value,
  [form, problem]: readonly [RegExp, string],
  common: Common,
) => ({
  type: 'text' as const,
  check: (given: string) => (form.test(given) ? undefined : problem),
  ...shape<Value extends undefined ? string | undefined : string>(value as never, common),
})

/** The address of another server, with its path. */
export const serverAddressOption = (common: Common) => ({
  type: 'text' as const,
  check: serverAddressProblem,
  ...shape<string | undefined>(undefined, common),
})

/** Pairs of paths: `REMOTE=LOCAL`, separated by commas. */
export const pathMapOption = (common: Common) => ({
  type: 'text' as const,
  check: pathMapProblem,
  ...shape<string>('', common),
})

/** A secret that another program knows too, of at least `shortest` characters. */
export const sharedSecretOption = (shortest: number, common: Common) => ({
  type: 'text' as const,
  check: (value: string) => (value.length >= shortest ? undefined : `must be at least ${shortest} characters long`),
  ...shape<string | undefined>(undefined, { ...common, secret: true }),
})

/** A whole number in a range. */
export const integerOption = (value: number, range: { min: number; max: number }, common: Common) => ({
  type: 'integer' as const,
  ...range,
  ...shape<number>(value, common),
})

/** An option that is on or off. */
export const booleanOption = (value: boolean, common: Common) => ({
  type: 'boolean' as const,
  ...shape<boolean>(value, common),
})
