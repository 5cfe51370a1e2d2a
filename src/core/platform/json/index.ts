export { isJsonObject } from './is-json-object.ts'
export { JsonSizeCheck } from './json-size-check.ts'
export { parseJson } from './parse-json.ts'
