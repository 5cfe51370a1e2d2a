import { Type, type TSchema } from 'typebox'
import { RESULT_SCHEMAS } from './results.ts'
import { nonNegativeInteger, object, freeObject, orNull, string, strings } from './shapes.ts'

/** The ids of all commands, in order. */
export const COMMAND_IDS: readonly string[] = Object.keys(RESULT_SCHEMAS).toSorted()

/** The JSON Schema of the `--json` document of a command that succeeded; undefined for an unknown command. */
export function resultSchema(id: string): TSchema | undefined {
  const result = RESULT_SCHEMAS[id]
  if (result === undefined) return undefined
  return object({ schema: Type.Literal(`${id.replaceAll(':', '.')}/1`), ...result, warnings: strings })
}

/** The JSON Schema of the `--json` document of any command that failed. */
export const FAILURE_SCHEMA: TSchema = object({
  error: object({ code: string, message: string, exit: nonNegativeInteger, hint: orNull(string), details: freeObject }),
})
