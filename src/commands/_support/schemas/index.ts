import { Type, type TSchema } from 'typebox'
import { RESULT_SCHEMAS } from './results.ts'
import { natural, object, freeObject, orNull, text, texts } from './shapes.ts'

/** The ids of all commands, in order. */
export const COMMAND_IDS: readonly string[] = Object.keys(RESULT_SCHEMAS).toSorted()

/** The JSON Schema of the `--json` document of a command that succeeded; undefined for an unknown command. */
export function resultSchema(id: string): TSchema | undefined {
  const result = RESULT_SCHEMAS[id]
  if (result === undefined) return undefined
  return object({ schema: Type.Literal(`${id.replaceAll(':', '.')}/1`), ...result, warnings: texts })
}

/** The JSON Schema of the `--json` document of any command that failed. */
export const FAILURE_SCHEMA: TSchema = object({
  error: object({ code: text, message: text, exit: natural, hint: orNull(text), details: freeObject }),
})
