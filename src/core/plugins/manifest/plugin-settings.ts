import { z } from 'zod'

const MAX_LIST = 100
const MAX_CHARACTERS = 4096

const Shown = { label: z.string().max(200), description: z.string().max(2000), link_text: z.string().max(200) }

/** One setting that a manifest declares. */
export const SettingSchema = z.object({
  type: z.enum(['string', 'int', 'bool', 'float', 'array']),
  required: z.boolean().default(false),
  secret: z.boolean().default(false),
  default: z.unknown().optional(),
  label: Shown.label.optional(),
  description: Shown.description.optional(),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  link_text: Shown.link_text.optional(),
  tier: z.union([z.string().max(64), z.int()]).optional(),
})

export type SettingDeclaration = z.infer<typeof SettingSchema>

export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>

export type SettingValues = Readonly<Record<string, unknown>>

/** What other processes see of a secret that has a value. A client that sends it back keeps the value. */
export const SECRET_MARK = '***'

const text = z.string().max(MAX_CHARACTERS)

const VALUES: Readonly<Record<SettingDeclaration['type'], z.ZodType>> = {
  string: text,
  int: z.int(),
  bool: z.boolean(),
  float: z.number(),
  array: z.array(z.union([text, z.number(), z.boolean()])).max(MAX_LIST),
}

/**
 * The settings after a change. A key with null is removed, a secret with `***` keeps its value, other keys keep theirs.
 * @returns the values, or a reason for each setting that breaks its declaration
 */
export function changeSettings(
  declarations: SettingDeclarations,
  { current, changes }: { current: SettingValues; changes: SettingValues },
): { values: SettingValues } | { problems: Readonly<Record<string, string>> } {
  const values = new Map(Object.entries(current))
  const problems = new Map<string, string>()
  for (const [name, value] of Object.entries(changes)) {
    const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined
    if (declaration === undefined) problems.set(name, 'is not a setting of this plugin')
    else if (value === null) values.delete(name)
    else if (declaration.secret && value === SECRET_MARK) continue
    else if (VALUES[declaration.type].safeParse(value).success) values.set(name, value)
    else problems.set(name, `must be of type ${declaration.type}`)
  }
  for (const name of missingSettings(declarations, Object.fromEntries(values))) {
    if (!problems.has(name)) problems.set(name, 'is required')
  }
  return problems.size === 0 ? { values: Object.fromEntries(values) } : { problems: Object.fromEntries(problems) }
}

/** The required settings that have neither a value nor a default. */
export function missingSettings(declarations: SettingDeclarations, values: SettingValues): string[] {
  return Object.entries(declarations)
    .filter(([name, { required, default: preset }]) => required && preset === undefined && !Object.hasOwn(values, name))
    .map(([name]) => name)
}

/** Removes the values of settings that were secret before a change of the declarations and are shown after it. */
export function removeRevealedSecrets(
  { before, after }: { before: SettingDeclarations; after: SettingDeclarations },
  values: SettingValues,
): SettingValues {
  const isRevealed = (name: string): boolean => after[name]?.secret === false && before[name]?.secret !== false
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isRevealed(name)))
}

/** The values that the plugin itself gets: with defaults and secrets. */
export function effectiveSettings(declarations: SettingDeclarations, values: SettingValues): SettingValues {
  const presets = Object.entries(declarations).filter(([, { default: preset }]) => preset !== undefined)
  return { ...Object.fromEntries(presets.map(([name, { default: preset }]) => [name, preset])), ...values }
}

/** The values for people and clients: a secret is `***`. */
export function redactedSettings(declarations: SettingDeclarations, values: SettingValues): SettingValues {
  return Object.fromEntries(
    Object.entries(effectiveSettings(declarations, values)).map(([name, value]) => [
      name,
      declarations[name]?.secret === false ? value : SECRET_MARK,
    ]),
  )
}
