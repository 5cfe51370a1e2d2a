export { isJsonObject } from './is-json-object.ts'
export { parseJson } from './parse-json.ts'
